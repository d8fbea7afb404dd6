"""Worked examples of the lecture notes, derived by the builder and run on both engines."""
