"""One file per system of the sources: its parameters, its model, its metrics, its claim."""
