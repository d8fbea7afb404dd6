"""Bodies that tumble, roll and swing: pendulum, cube, column, sphere, wheel."""
