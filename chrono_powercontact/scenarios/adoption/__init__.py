"""Scenes with the numbers of Chrono's own demos, as they are and with `pc.attach(system).take_over()`."""
