"""The load that Chrono evaluates, and when it commits."""
