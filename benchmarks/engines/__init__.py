"""The slope scene in each engine: one module per engine, each with its SETTINGS and a `run`."""
