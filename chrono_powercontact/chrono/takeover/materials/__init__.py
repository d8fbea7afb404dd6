"""Materials of contacts that were taken over: given, or designed from the shapes' own."""
