"""Contacts of finite element nodes and beams of Chrono with bodies."""
