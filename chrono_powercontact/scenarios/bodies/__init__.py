"""Bodies that tumble, roll and swing: pendulum, cube, column of spheres, rolling sphere."""
