"""Contacts whose forces statics leaves open."""
