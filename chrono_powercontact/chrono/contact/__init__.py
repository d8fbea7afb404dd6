"""Contacts of named shapes: geometry, kernel, tables, Jacobian, readings."""
