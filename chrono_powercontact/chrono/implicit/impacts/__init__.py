"""Impacts that begin and end within a step."""
