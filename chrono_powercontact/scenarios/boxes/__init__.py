"""Boxes, stacks and what friction holds."""
