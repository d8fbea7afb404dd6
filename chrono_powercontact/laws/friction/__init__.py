"""Laws of friction and their memories: one abstract law, one file for each of its kinds."""
