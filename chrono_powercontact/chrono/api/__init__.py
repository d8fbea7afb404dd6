"""PyChrono itself: finding the real one, its features, its vectors, its integrators."""
