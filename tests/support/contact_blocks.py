"""Blocks of contacts without Chrono: bodies that are numbers, at random places."""

import numpy as np
from scipy.spatial.transform import Rotation

from chrono_powercontact.chrono.contact.bodies import Bodies, rotations
from chrono_powercontact.chrono.contact.contact_table import ContactTable, Pair
from chrono_powercontact.chrono.implicit.blocks import BLOCK, Contacts, gather_contacts


class Stub:
    """A body that is only a number."""

    IsFixed = None

    def __init__(self, number):
        self.number = number

    def GetIdentifier(self):
        return self.number


def packed(rng, places):
    """States of bodies at places, with random rotations, and the rotation matrices."""
    x = []
    for place in places:
        turn = Rotation.random(random_state=int(rng.integers(2**31))).as_quat()
        x += [*place, turn[3], *turn[:3]]
    r = np.empty((len(places), 3, 3))
    rotations(np.array(x), r)
    return np.array(x), r


def table_of(first, second, material):
    return ContactTable({0: Pair.of(first, second, material)}, {0: 0, 1: 1})


def gathered(table, x, r, w, free, h, room=16):
    """The number of blocks that may act, and those that there was room for."""
    blocks = np.zeros(room, BLOCK)
    contacts = Contacts(0, 0, table.elements, table.geometry, table.materials, table.memory)
    count = gather_contacts(Bodies(x, w, r), free, contacts, h, blocks, 0)
    return count, blocks[: min(count, room)]
