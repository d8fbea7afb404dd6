"""Flexible arms: planar beams, their reduction, and their energies in a floating frame."""
