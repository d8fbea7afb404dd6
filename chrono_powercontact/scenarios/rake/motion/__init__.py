"""The machine in motion on the reference engine."""
