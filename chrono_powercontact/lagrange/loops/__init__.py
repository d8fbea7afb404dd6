"""Closed kinematic loops in minimal coordinates."""
