"""What the machine tells through its cylinders: seals, flow, contact forces, and where the rack is."""
