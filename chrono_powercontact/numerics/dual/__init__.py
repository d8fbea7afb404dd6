"""Dual numbers in compiled code: any kernel of the package called with them gives its exact derivatives."""
