"""Experiments on the leg: observers, identification, scores."""
