"""The machine: numbers, kinematics, arms, contact, water, drive."""
