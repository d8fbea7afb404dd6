"""Studies of a scenario that use its derivatives: identification, design, uncertainty; and global sensitivity."""
