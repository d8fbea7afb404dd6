"""The reference engine: energies in, compiled equations of motion out."""
