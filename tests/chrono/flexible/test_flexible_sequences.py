"""No sequence of calls around contacts of nodes ends the process or raises an error that is not ours."""

import random
import warnings

import pytest

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import belongs, pychrono, set_integrator
from tests.support.flexible_scenes import Steel, add_cable, add_mass, need_fea, new_system, soft

pytestmark = pytest.mark.chrono
INTEGRATORS = ("euler_implicit_linearized", "euler_implicit", "euler_implicit_projected", "newmark")
STICKY = pc.Material(soft(), pc.Friction(0.5, 0.5, 1e-3), pc.Anchor(1e-5))


class Script:
    """A script that does anything; a body that stays gives Chrono something to move."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.system, ground = new_system()
        self.system.AddBody(pychrono().ChBody())
        self.bodies = [ground]
        self.parts = []
        self.contacts = [pc.attach(self.system)]
        self.held = []
        self.add_part()

    def some(self, things):
        if not things:
            raise pc.ParameterError("there is none")
        return self.rng.choice(things)

    def add_part(self):
        start = self.rng.random(), self.rng.random(), 0.05
        end = 1.0 + self.rng.random(), self.rng.random(), 0.1
        kind = self.rng.randrange(3)
        if kind == 0:
            self.parts.append(Steel().add(self.system, self.rng.randint(1, 4), start, end, self.rng.random() < 0.5))
        elif kind == 1:
            self.parts.append(add_cable(self.system, self.rng.randint(1, 4), start, end)[:2])
        else:
            self.parts.append(([add_mass(self.system, start)], None))

    def add_body(self):
        body = pychrono().ChBody()
        body.SetPos(pychrono().ChVector3d(self.rng.random(), self.rng.random(), 0.3))
        self.system.AddBody(body)
        self.bodies.append(body)

    def add_contact(self):
        nodes, _ = self.some(self.parts)
        body = self.some(self.bodies)
        shape = self.some([pc.Plane(body), pc.Sphere(body, radius=0.1), pc.Cylinder(body, 0.1, 0.2)])
        add = self.some([self.contacts[0].add_beam, self.some(self.contacts).add_nodes])
        self.held.append(add(nodes, shape, STICKY, 0.01))

    def step(self):
        for _ in range(5):
            self.system.DoStepDynamics(10 ** self.rng.uniform(-4, -2.5))

    def drive(self):
        self.system.DoFrameDynamics(3e-3, 1e-3)

    def fix(self):
        self.some(self.some(self.parts)[0]).SetFixed(self.rng.random() < 0.5)

    def read(self):
        contact = self.some(self.held)
        contact.forces()
        contact.node_forces()
        contact.energy()

    def remove(self):
        self.some(self.held).remove()

    def remove_mesh(self):
        """Chrono itself does not survive that something is removed twice."""
        self.system.Remove(
            self.some([mesh for _, mesh in self.parts if mesh is not None and belongs(mesh, self.system)])
        )

    def remove_body(self):
        self.system.RemoveBody(self.some([body for body in self.bodies if belongs(body, self.system)]))

    def change(self):
        set_integrator(self.system, self.some(INTEGRATORS))

    def attach(self):
        self.contacts.append(pc.attach(self.system))

    def detach(self):
        contacts = self.some(self.contacts[1:])
        self.contacts.remove(contacts)
        contacts.detach()


CALLS = {
    "add_part": 2, "add_body": 2, "add_contact": 5, "step": 8, "drive": 1, "fix": 2, "read": 2, "remove": 1,
    "remove_mesh": 0.5, "remove_body": 0.5, "change": 1, "attach": 0.5, "detach": 0.5,
}  # fmt: skip
"""How often each call is made, relative to the others."""


@pytest.mark.parametrize("seed", range(40))
def test_a_random_sequence_is_survived(seed):
    need_fea()
    script = Script(seed)
    told = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in script.rng.choices(list(CALLS), list(CALLS.values()), k=15):
            try:
                getattr(script, name)()
            except pc.PowerContactError as error:
                told.append(str(error))
    assert not any("\n" in sentence for sentence in told)
