"""Laws of the normal force: one abstract law, one file for each of its kinds."""
