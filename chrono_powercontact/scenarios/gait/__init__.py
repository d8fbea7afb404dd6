"""The leg of the gait trainer MoreGait II (chapter 5): kinematics, stages of the model, drives, signals, pictures."""
