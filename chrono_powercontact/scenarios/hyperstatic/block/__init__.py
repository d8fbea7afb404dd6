"""The thesis' block on two feet: statics, models, runs on both engines, comparison, pictures."""
