"""Every collision shape of a script under our law."""
