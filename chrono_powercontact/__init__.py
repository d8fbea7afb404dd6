"""Power-based contact and friction for PyChrono, and a reference engine that derives the same systems."""

__version__ = "0.1.0"
