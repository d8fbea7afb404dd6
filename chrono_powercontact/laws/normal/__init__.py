"""Normal laws: one abstract class, and one module for each kind."""
