"""Solvers for one island: Newton's method, and sweeps over the contacts of a large one."""
