"""Worlds of boxes and balls in each engine: one module per engine, each with its SETTINGS and a `simulate`."""
