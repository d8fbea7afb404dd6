"""Observers: sigma point filters that carry the same contact models, and how they ride on a run."""
