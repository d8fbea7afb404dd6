"""The friction catalogue: one experiment each, three laws side by side."""
