"""The trash-rack cleaning machine: its numbers, its drive, its arms, its contact with the rack, its gauges."""
