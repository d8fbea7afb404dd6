"""Set-valued contact forces: what statics leaves open, between which bounds, and who chooses within them."""
