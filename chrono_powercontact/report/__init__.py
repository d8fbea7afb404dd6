"""Pictures, animations and the run folder."""
