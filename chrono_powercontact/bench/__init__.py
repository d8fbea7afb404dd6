"""Speed as ratios in one run, and orders of convergence."""
