"""The leg: kinematics, stages of the model, drives, and its right-hand side."""
