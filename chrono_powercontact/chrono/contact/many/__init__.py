"""Many contact elements in little memory, and their forces in parallel."""
