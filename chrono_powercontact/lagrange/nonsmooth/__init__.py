"""Moreau's time stepping with set-valued contacts, for any model."""
