"""The load cases, their figures and their claims."""
