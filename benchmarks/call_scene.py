"""Random sequences of calls on a system and its attachments; a number repeats a sequence.

What ends the process in Chrono alone is left out: links to bodies that are not in the system, and changes of the
collision model of a body that has left it, direct solvers with nothing to solve, another collision system in place of
the first.
"""

from __future__ import annotations

import gc
import random
import warnings
from collections.abc import Callable
from typing import Any

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.errors import PowerContactError

LAW = pc.Restriction(0.0, -0.001, 400.0, 30.0)
MATERIAL = pc.Material(LAW, pc.Friction(0.5, 0.5, 1e-3, 2e-3, 0.0, 1e-6), pc.LPVFilter(1e-3, 1e-3))
STEPS = (1e-4, 1e-3, 5e-3)
MOST_BODIES = 12


class Scene:
    """A system, its attachments and its bodies, with one method for each call."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.chrono = pychrono()
        self.attachments: list[pc.Attachment] = []
        self.bodies: list[Any] = []
        self.pairs: list[int] = []
        self.new_system()

    def new_system(self) -> None:
        """Begin with a new system of two bodies; the old one ends, with its attachments."""
        chrono = self.chrono
        kind = self.random.choice((chrono.ChSystemSMC, chrono.ChSystemNSC))
        material = chrono.ChContactMaterialSMC if kind is chrono.ChSystemSMC else chrono.ChContactMaterialNSC
        self.system = kind()
        self.surface = material()
        if self.random.random() < 0.7:
            self.system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
        if self.random.random() < 0.3:
            self.system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
        self.system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
        self.attachments = []
        self.bodies = []
        self.pairs = []
        self.add_body()
        self.bodies[0].SetFixed(True)
        self.add_body()

    def shape(self) -> Any:
        """A collision shape."""
        chrono = self.chrono
        makes = (
            lambda: chrono.ChCollisionShapeSphere(self.surface, 0.1),
            lambda: chrono.ChCollisionShapeBox(self.surface, 0.2, 0.2, 0.2),
            lambda: chrono.ChCollisionShapeCylinder(self.surface, 0.1, 0.2),
        )
        return self.random.choices(makes, (5, 4, 1))[0]()

    def add_body(self) -> None:
        """Add a body, with a collision shape or without one."""
        if len(self.bodies) >= MOST_BODIES:
            return
        chrono = self.chrono
        body = self.random.choice((chrono.ChBody, chrono.ChBodyAuxRef))()
        body.SetPos(chrono.ChVector3d(self.random.uniform(-0.2, 0.2), 0, 0.205 * len(self.bodies)))
        if self.random.random() < 0.8:
            body.AddCollisionShape(self.shape())
            body.EnableCollision(True)
        self.system.AddBody(body)
        self.bodies.append(body)

    def body(self) -> Any:
        """Any body, in the system or not."""
        return self.random.choice(self.bodies)

    def member(self) -> Any:
        """A body that is in the system."""
        return self.random.choice([body for body in self.bodies if body.GetSystem() is not None])

    def contacts(self) -> pc.Attachment:
        """An attachment, detached or not."""
        return self.random.choice(self.attachments)

    def attach(self) -> None:
        """Attach once more."""
        if len(self.attachments) < 4:
            self.attachments.append(pc.attach(self.system, jacobian=self.random.random() < 0.2))

    def attach_to_pointer(self) -> None:
        """Attach to the bare pointer that a body gives."""
        owner = self.body().GetSystem()
        if owner is not None:
            self.attachments.append(pc.attach(owner))

    def add(self) -> None:
        """Add contact between two shapes."""
        first = pc.Sphere(self.body(), radius=0.1)
        second = self.random.choice((pc.Plane(self.body()), pc.Box(self.body(), 0.2, 0.002)))
        self.pairs.append(self.contacts().add(first, second, MATERIAL))

    def remove_pair(self) -> None:
        """Remove a pair."""
        self.contacts().remove(self.random.choice(self.pairs))

    def add_joint(self) -> None:
        """Add a joint with friction."""
        chrono = self.chrono
        link = chrono.ChLinkLockRevolute()
        link.Initialize(self.member(), self.member(), chrono.ChFramed())
        self.system.AddLink(link)
        self.contacts().add_friction(link, pc.Dissipation(0.1, 0.1, 1e-2))

    def add_spring(self) -> None:
        """Add a spring that is solved for."""
        chrono = self.chrono
        link = chrono.ChLinkTSDA()
        zero = chrono.ChVector3d(0, 0, 0)
        link.Initialize(self.member(), self.member(), True, zero, chrono.ChVector3d(0, 0, 0.1))
        link.SetSpringCoefficient(100.0)
        self.system.AddLink(link)
        self.contacts().add_spring(link)

    def add_motor(self) -> None:
        """Add a linear motor, which prescribes a speed or exerts a force."""
        chrono = self.chrono
        members = [body for body in self.bodies if body.GetSystem() is not None]
        if len(members) < 2:
            return
        link = self.random.choice((chrono.ChLinkMotorLinearSpeed, chrono.ChLinkMotorLinearForce))()
        first, second = self.random.sample(members, 2)
        link.Initialize(first, second, chrono.ChFramed(first.GetPos()))
        self.system.AddLink(link)

    def place_body(self) -> None:
        """Place a body near another one."""
        body = self.member()
        place = self.member().GetPos()
        body.SetPos(place + self.chrono.ChVector3d(0.0, self.random.uniform(-0.2, 0.2), 0.2))

    def take_over(self) -> None:
        """Take all shapes over."""
        self.contacts().take_over(MATERIAL, keep_detection=self.random.random() < 0.3)

    def refused_take_over(self) -> None:
        """Give a material that is none."""
        self.contacts().take_over(self.random.choice(("steel", None, LAW)))

    def refused_pairs(self) -> None:
        """Name bodies that do not exist."""
        self.contacts().take_over(MATERIAL, {("no", "such"): MATERIAL})

    def refused_add(self) -> None:
        """Name a body that is not in the system."""
        self.contacts().add(pc.Sphere(self.chrono.ChBody(), radius=0.1), pc.Plane(self.body()), MATERIAL)

    def detach(self) -> None:
        """Detach."""
        self.contacts().detach()

    def forget_attachment(self) -> None:
        """Drop the reference to an attachment."""
        self.attachments.remove(self.contacts())
        gc.collect()

    def clear(self) -> None:
        """Clear the system."""
        self.system.Clear()

    def remove_body(self) -> None:
        """Remove a body."""
        self.system.RemoveAllLinks()
        self.system.Remove(self.member())

    def forget_body(self) -> None:
        """Drop the reference to a body that has left."""
        body = self.body()
        if len(self.bodies) > 2 and body.GetSystem() is None:
            self.bodies = [other for other in self.bodies if other is not body]

    def add_again(self) -> None:
        """Add a body that has left once more."""
        body = self.body()
        if body.GetSystem() is None:
            self.system.Add(body)

    def remove_all_bodies(self) -> None:
        """Remove all bodies."""
        self.system.RemoveAllLinks()
        self.system.RemoveAllBodies()

    def remove_all_links(self) -> None:
        """Remove all links."""
        self.system.RemoveAllLinks()

    def remove_all_items(self) -> None:
        """Remove all loads, ours too."""
        self.system.RemoveAllOtherPhysicsItems()

    def toggle_collision(self) -> None:
        """Enable or disable the collision of a body."""
        body = self.member()
        if body.GetCollisionModel() is not None:
            body.EnableCollision(not body.IsCollisionEnabled())

    def toggle_fixed(self) -> None:
        """Fix a body or let it go."""
        body = self.body()
        body.SetFixed(not body.IsFixed())

    def late_shape(self) -> None:
        """Give a body one more shape."""
        body = self.member()
        body.AddCollisionShape(self.shape())
        body.EnableCollision(True)

    def change_family(self) -> None:
        """Change the collision family of a body."""
        model = self.member().GetCollisionModel()
        if model is not None:
            model.SetFamily(self.random.randrange(8))
            model.DisallowCollisionsWith(self.random.randrange(8))

    def change_solver(self) -> None:
        """Change the solver."""
        kinds = self.chrono.ChSolver
        self.system.SetSolverType(self.random.choice((kinds.Type_SPARSE_LU, kinds.Type_PSOR)))

    def late_collision_system(self) -> None:
        """Set a collision system if there is none."""
        if self.system.GetCollisionSystem() is not None:
            return
        self.system.SetCollisionSystemType(self.chrono.ChCollisionSystem.Type_BULLET)

    def read(self) -> None:
        """Read forces and energies."""
        contacts = self.contacts()
        contacts.forces()
        contacts.energy()
        contacts.force_on(self.body())
        contacts.joint_forces()

    def read_as_scripts_do(self) -> None:
        """Read contacts by Chrono's own calls."""
        self.body().GetContactForce()
        self.body().GetContactTorque()
        self.system.GetNumContacts()

    def leave_something_to_solve(self) -> None:
        """Chrono's direct solvers end the process where nothing can move."""
        if all(body.IsFixed() for body in self.system.GetBodies()):
            self.system.SetSolverType(self.chrono.ChSolver.Type_PSOR)

    def step(self) -> None:
        """Make a few steps."""
        self.leave_something_to_solve()
        step = self.random.choice(STEPS)
        for _ in range(self.random.randint(1, 4)):
            self.system.DoStepDynamics(step)

    def frame(self) -> None:
        """Make a frame of steps."""
        self.leave_something_to_solve()
        self.system.DoFrameDynamics(self.system.GetChTime() + 3e-3, 1e-3)


CALLS = {
    "attach": 3, "attach_to_pointer": 1, "add": 4, "remove_pair": 1, "add_joint": 1, "add_spring": 1, "take_over": 4,
    "refused_take_over": 1, "refused_pairs": 1, "refused_add": 1, "detach": 2, "forget_attachment": 1, "clear": 1,
    "remove_body": 3, "forget_body": 2, "add_again": 2, "add_body": 4, "remove_all_bodies": 1, "remove_all_links": 1,
    "remove_all_items": 1, "toggle_collision": 3, "toggle_fixed": 2, "late_shape": 2, "change_family": 1,
    "change_solver": 1, "late_collision_system": 1, "read": 2, "step": 12, "frame": 1, "new_system": 1, "add_motor": 1,
    "place_body": 2, "read_as_scripts_do": 3,
}  # fmt: skip
"""Calls and how often each is drawn."""


def keep_silent(call: str) -> None:
    """Tell nothing."""


def run_sequence(seed: int, tell: Callable[[str], None] = keep_silent, length: int = 25) -> int:
    """Make one sequence of calls; returns how many were refused. An error that is not ours is raised."""
    scene = Scene(seed)
    scene.attach()
    refused = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for call in scene.random.choices(list(CALLS), list(CALLS.values()), k=length):
            if not scene.attachments:
                scene.attach()
            tell(call)
            try:
                getattr(scene, call)()
            except (PowerContactError, IndexError):
                refused += 1
    return refused
