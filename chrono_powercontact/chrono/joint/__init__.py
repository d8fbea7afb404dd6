"""Stops and friction on joints and lines."""
