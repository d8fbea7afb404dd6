"""The plugin; the only room that imports pychrono."""
