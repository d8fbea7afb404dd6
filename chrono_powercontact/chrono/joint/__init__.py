"""Stops and friction on joints and spring-dampers."""
