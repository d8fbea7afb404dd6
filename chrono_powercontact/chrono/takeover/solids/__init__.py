"""Chrono's cylinders, cones, ellipsoids, hulls and meshes as solids of our own, and the rules of their pairs."""
