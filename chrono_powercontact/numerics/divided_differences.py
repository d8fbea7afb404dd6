"""Modified divided differences of Shampine and Gordon, and their unwinding: past derivatives from stored differences.

A multistep code with variable steps stores phi_i(n) = psi_1 ... psi_{i-1} f[t_n, ..., t_{n-i+1}] and the sums of steps
psi_j(n) = t_n - t_{n-j}, not the derivatives f themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def modified_differences(times: Sequence[float], rates: Floats) -> tuple[Floats, Floats]:
    """phi_i and psi_j of derivatives at nodes, one row per node, newest first."""
    nodes = np.asarray(times, float)
    psi = nodes[0] - nodes[1:]
    divided = np.array(rates, float)
    phi = [divided[0]]
    product = 1.0
    for i in range(1, len(nodes)):
        span = nodes[:-i] - nodes[i:]
        divided = (divided[:-1] - divided[1:]) / span[:, None]
        product *= psi[i - 1]
        phi.append(product * divided[0])
    return np.array(phi), psi


def unwound(phi: Floats, psi: Floats) -> tuple[Floats, Floats]:
    """Node times relative to the newest one and the derivatives there, from phi and psi alone, newest first.

    One node back: phi*_i = phi_i - phi_{i+1}, psi_i(n-1) = psi_{i+1} - psi_1, and phi_i(n-1) = phi*_i / beta_i with
    beta_i the product of psi_j(n)/psi_j(n-1) for j < i.
    """
    phi = np.array(phi)
    psi = np.array(psi)
    offsets = [0.0]
    rates = [phi[0]]
    while len(phi) > 1:
        step = psi[0]
        earlier = psi[1:] - step
        beta = np.concatenate([[1.0], np.cumprod(psi[: len(earlier)] / earlier)])
        phi = (phi[:-1] - phi[1:]) / beta[:, None]
        psi = earlier
        offsets.append(offsets[-1] - step)
        rates.append(phi[0])
    return np.array(offsets), np.array(rates)
