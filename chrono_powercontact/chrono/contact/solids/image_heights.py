"""Heights of a terrain from an image."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.image import imread

from ....errors import ParameterError, shown
from ..shapes import Vector
from .terrain import grid_of


def heights_of_image(path: str | Path, lowest: float, highest: float) -> Vector:
    """Heights in m from the brightness of an image: black is `lowest`, white `highest`; its top is the last column."""
    try:
        image = np.asarray(imread(path))
    except (OSError, ValueError, SyntaxError) as error:
        raise ParameterError(f"path must be an image, got {shown(str(path))}: {error}") from None
    whole = 255.0 if np.issubdtype(image.dtype, np.integer) else 1.0
    grey = image[..., :3].mean(axis=2) if image.ndim == 3 else image
    return grid_of(lowest + (highest - lowest) * grey[::-1].T / whole)
