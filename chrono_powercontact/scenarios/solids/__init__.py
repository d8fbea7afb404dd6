"""Scenarios of round bodies, blocks and heaps, against results of the literature."""
