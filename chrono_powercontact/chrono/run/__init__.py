"""Running Chrono systems: recording, Chrono's built-in contact, and a window."""
