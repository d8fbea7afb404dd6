"""Access to PyChrono: finding it, its features, its vectors and its integrators."""
