"""Many runs of one scenario or function: plan, isolated processes, store, table, picture."""
