"""Sigma point filters and the linear Kalman filter."""
