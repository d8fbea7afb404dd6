"""Recorded runs as moving 3-D scenes: data, one HTML page, a local server."""
