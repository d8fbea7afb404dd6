"""Numbers of nature that several scenarios take alike."""

GRAVITY = 9.81
"""In m/s^2."""
