"""Bodies that friction must hold: rocking slope, stack of boxes, ladder, gripper, wheel."""
