"""Friction laws and their memories: one abstract class, and one module for each kind."""
