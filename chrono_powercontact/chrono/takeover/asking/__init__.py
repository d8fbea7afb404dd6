"""Callbacks of the script that are asked about our contacts."""
