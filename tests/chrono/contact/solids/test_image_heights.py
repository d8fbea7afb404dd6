"""Heights from the brightness of an image."""

import numpy as np
import pytest
from matplotlib.image import imsave

import chrono_powercontact as pc


def test_heights_of_an_image(tmp_path):
    path = tmp_path / "hill.png"
    imsave(path, np.array([[0.0, 0.5, 1.0], [0.0, 0.0, 0.0]]), cmap="gray", vmin=0.0, vmax=1.0)
    heights = pc.heights_of_image(path, -1.0, 3.0)
    assert heights.shape == (3, 2)
    assert heights[:, 1] == pytest.approx([-1.0, 1.0, 3.0], abs=0.02)
    assert heights[:, 0] == pytest.approx([-1.0, -1.0, -1.0])


def test_missing_image_is_one_sentence(tmp_path):
    with pytest.raises(pc.ParameterError, match="path must be an image"):
        pc.heights_of_image(tmp_path / "none.png", 0.0, 1.0)
