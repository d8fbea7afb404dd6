"""Mechanisms with closed loops in minimal coordinates, beside Chrono's own joints."""
