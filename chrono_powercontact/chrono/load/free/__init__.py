"""Steps of bodies that no link connects, without Chrono's integrator."""
