"""Exact derivatives of a run by its parameters and its start."""
