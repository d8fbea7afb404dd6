"""Whether forces at the start of a step will do, by its length and the laws."""
