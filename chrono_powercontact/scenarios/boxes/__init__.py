"""A box on a plane: at rest on a slope, and sliding to rest on the level."""
