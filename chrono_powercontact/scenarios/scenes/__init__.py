"""Chrono scenes that several families share."""
