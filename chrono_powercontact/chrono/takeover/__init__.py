"""Our contact law for every collision shape that a system already has."""
