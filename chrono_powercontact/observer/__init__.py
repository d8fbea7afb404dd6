"""Observers: sigma point filters that carry the same contact models, and how they ride on a run."""

from .consistency import Consistency, consistency, nees
from .filter_model import FilterModel, compiled
from .filters.cdkf import CDKF
from .filters.kalman import KalmanFilter
from .filters.ukf import UKF
from .models import model_of
from .observation import Observation
from .riding import Ride, ride_trajectory

__all__ = [
    "CDKF", "UKF", "Consistency", "FilterModel", "KalmanFilter", "Observation", "Ride", "compiled", "consistency",
    "model_of", "nees", "ride_trajectory",
]  # fmt: skip
