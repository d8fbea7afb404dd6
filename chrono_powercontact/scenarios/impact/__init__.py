"""Impacts of a point mass: ball, restitution map, drop, wall."""
