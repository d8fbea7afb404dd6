"""The figures of the thesis, drawn from our laws and runs."""
