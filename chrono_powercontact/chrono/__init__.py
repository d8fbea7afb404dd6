"""The plugin; the only subpackage that imports pychrono."""
