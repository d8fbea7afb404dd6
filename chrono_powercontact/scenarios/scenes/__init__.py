"""What the Chrono scenes of several families share."""
