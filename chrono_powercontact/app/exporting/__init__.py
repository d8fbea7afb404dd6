"""Scenarios for other tools: an observer as C, a plant or an observer as an FMU."""
