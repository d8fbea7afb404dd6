"""Friction laws of the literature beside ours, on a rig of one mass, and what each of them can do."""
