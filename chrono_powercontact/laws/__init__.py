"""Contact and friction laws: small frozen dataclasses over compiled kernels, independent of any engine."""
