"""What a model is built from: bodies and their inertia, forces at points, constraints on velocities."""
