"""The gait trainer in closed loop: motions, patient, plants, observers that ride on line, controllers."""
