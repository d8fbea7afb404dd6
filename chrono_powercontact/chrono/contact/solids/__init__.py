"""Solids of our own: cylinder, cone, torus, ellipsoid, hull, mesh and height field, in double precision."""
