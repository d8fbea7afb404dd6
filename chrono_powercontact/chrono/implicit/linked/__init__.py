"""What links do to bodies in contact: limits that push only, bodies that they drive, reactions that scripts read."""
