"""Friction of a pulled or tested mass: hysteresis, stick-slip, the friction laboratory."""
