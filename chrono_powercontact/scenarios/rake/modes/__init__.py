"""Cases of `arm_modes`: reduced and full arms, alone and in the machine, how many modes, dropped modes, the flow."""
