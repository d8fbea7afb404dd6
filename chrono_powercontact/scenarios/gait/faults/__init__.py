"""What goes wrong with the leg in closed loop, and how soon the observer notices."""
