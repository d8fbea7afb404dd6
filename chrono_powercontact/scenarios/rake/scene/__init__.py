"""The machine as a Chrono scene."""
