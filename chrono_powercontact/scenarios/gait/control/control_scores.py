"""What a closed loop is worth: tracking, the patient's torque against the truth, consistency, energy and cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....observer.consistency import consistency
from ..study.scores import SINCE, rms
from .control_runs import ControlSettings
from .gait_motions import EXERCISED

if TYPE_CHECKING:
    from ....trajectory import Trajectory


def control_scores(p: ControlSettings, run: Trajectory) -> dict[str, Any]:
    """Metrics of a run; errors from the begin of the exercise on, of a controller that learns in the last cycle."""
    t = run["t"]
    period = EXERCISED[p.exercise][1]
    later = t >= (max(SINCE, t[-1] - period) if p.controller == "learning" else SINCE)
    nis = consistency(run["nis"][later], 2)
    patient = run["patient"][later]
    costs = run["update_time"][1:]
    return {
        "tracking_rms": rms(run["error"][later]),
        "tracking_rms_pd": rms(run["error_pd"][later]),
        "tracking_rms_phi": rms((run["phi"] - run["ref_phi"])[later]),
        "tracking_rms_s": rms((run["s"] - run["ref_s"])[later]),
        "patient_torque_rms": rms(run["est_patient"][later] - patient),
        "patient_torque_range": float(np.ptp(patient)),
        "nis_inside": nis.inside,
        "nis_mean": nis.mean,
        "ankle_mass": float(run["est_m_sg"][-1]),
        "slide_level": float(run["est_level"][-1]),
        "knee_stop": float(run["est_stop"][-1]),
        "energy": float(run["drive_work"][-1]),
        "saturated": float(np.mean(run["saturated"][later])),
        "peak_torque": float(np.abs(run["M"]).max()),
        "peak_force": float(np.abs(run["F"]).max()),
        "update_time": float(np.median(costs)),
        "longest_update": float(costs.max()),
    }
