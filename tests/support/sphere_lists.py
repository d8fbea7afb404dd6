"""Lists of contact elements between many spheres or boxes, without Chrono."""

import numpy as np

from chrono_powercontact.chrono.contact.contact_table import Instant
from chrono_powercontact.chrono.contact.records import TOTALS, empty, flat
from chrono_powercontact.chrono.takeover.broadphase import TRAITS
from chrono_powercontact.chrono.takeover.collision_shapes import ShapeTable, box_record, sphere_record
from chrono_powercontact.chrono.takeover.materials.pair_materials import PairMaterials
from chrono_powercontact.chrono.takeover.near_list import NearList
from chrono_powercontact.chrono.takeover.solids.solid_pairs import BOX, SPHERE

RADIUS = 0.1
STEP = 1e-4


def sphere_list(radii, material, crowds=True):
    """A list over spheres on bodies of their own."""
    return list_of([sphere_record(np.zeros(3), radius) for radius in radii], SPHERE, material, crowds)


def box_list(count, material, crowds=True):
    """A list over cubes on bodies of their own, as large as the spheres."""
    record = box_record(np.zeros(3), np.eye(3), np.full(3, RADIUS), 0.02)
    return list_of([record] * count, BOX, material, crowds)


def list_of(records, kind, material, crowds):
    """A list over shapes on bodies of their own."""
    count = len(records)
    traits = np.zeros(count, TRAITS)
    traits["kind"] = kind
    traits["body"] = traits["name"] = np.arange(count)
    traits["group"] = traits["mask"] = traits["free"] = 1
    made = NearList(PairMaterials(material), [None] * count)
    made.crowds = crowds
    extents = np.full(count, 0.0 if kind == SPHERE else 2.0 * RADIUS)
    made.set_shapes(ShapeTable(np.array(records), traits, extents, []), 0.1 * RADIUS)
    return made


def cube_of_spheres(side, squeezed=0.998):
    """Places of spheres on a cubic grid, each of which touches its neighbours."""
    grid = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), -1).reshape(-1, 3)
    return 2.0 * squeezed * RADIUS * grid


def jostled(part, places, steps, seed=0):
    """Committed steps of a list whose spheres are pushed about: generalised forces and totals of each."""
    rng = np.random.default_rng(seed)
    count = len(places)
    x = np.zeros((count, 7))
    x[:, :3] = places + rng.normal(0.0, 1e-5, places.shape)
    x[:, 3] = 1.0
    w = rng.normal(0.0, 0.05, (count, 6))
    past = np.append(x, w)
    found = []
    for k in range(steps):
        q = np.zeros(6 * count)
        totals = flat(empty(TOTALS, 1))
        part.evaluate(Instant(x.ravel(), w.ravel(), k * STEP, STEP, True, True, past), q, totals)
        found.append((q, totals))
        past = np.append(x, w)
        x = x.copy()
        x[:, :3] += STEP * w[:, :3]
        w = w + rng.normal(0.0, 5e-3, w.shape)
    return found


def standing(places, commit=False, once=True):
    """A state of spheres at rest."""
    x = np.zeros((len(places), 7))
    x[:, :3] = places
    x[:, 3] = 1.0
    w = np.zeros(6 * len(places))
    return Instant(x.ravel(), w, 0.0, STEP, commit, once, np.append(x, w))
