"""Numerical methods that all engines share, each written once and compiled."""
