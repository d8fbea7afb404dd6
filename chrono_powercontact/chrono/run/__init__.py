"""Running Chrono systems: recording them, Chrono's own contact, a window."""
