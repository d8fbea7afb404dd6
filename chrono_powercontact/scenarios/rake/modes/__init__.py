"""Cases of `arm_modes`: reduced and full arms, how many modes, dropped modes, the flow over the depth."""
