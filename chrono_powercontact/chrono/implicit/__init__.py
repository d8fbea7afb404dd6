"""Contact at long steps: the forces at the end of the step, solved for inside our load."""
