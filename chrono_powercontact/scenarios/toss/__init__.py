"""Tosses of a cube: measured ones, simulated ones, and the parameters that explain them."""
