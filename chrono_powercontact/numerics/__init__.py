"""Numerical methods that every engine shares, each written once and compiled."""
