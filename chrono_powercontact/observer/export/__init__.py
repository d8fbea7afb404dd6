"""A filter with its model as one C99 file: the kernels are traced, so a law is still written once."""
