"""Cases of `impact_phases`: one impact in detail, gravity, the sides of a wall, backlash."""
