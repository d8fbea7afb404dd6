"""What scripts read of contacts by Chrono's own calls."""
