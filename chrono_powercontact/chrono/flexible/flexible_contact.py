"""What a user holds of contacts of nodes or beams with bodies: it reads their forces and removes them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError, SystemChangedError, not_negative, positive, shown
from ...laws.material import Material
from ..api.bridge import address, belongs, body_key, check_solver, pychrono
from ..contact.body_frame import move_to_centres_of_mass
from ..contact.contact_table import ContactTable, Pair
from ..contact.readings import Energy, Resultant, as_forces, body_name, resultant
from ..contact.shapes import Shape, check_body
from .flexible_forces import FlexibleForces
from .flexible_layout import Layout
from .flexible_load import flexible_load_class, slope_block_class
from .node_shapes import BeamLink, NodeSphere, StandIn
from .nodes import NodeSet, find_nodes
from .step_caution import StepCaution


def node_spheres(nodes: Sequence[Any], radius: float) -> list[Shape]:
    """A sphere around each node, with a radius in m."""
    return [NodeSphere(StandIn([node], f"node {i}"), radius) for i, node in enumerate(nodes)]


def beam_links(nodes: Sequence[Any], radius: float) -> list[Shape]:
    """A capsule from each node to the next, with a radius in m."""
    links: list[Shape] = []
    for i, (start, end) in enumerate(pairwise(nodes)):
        length = (end.GetPos() - start.GetPos()).Length()
        if not length > 0.0:
            raise ParameterError(f"nodes {i} and {i + 1} of a beam must be apart, got a distance of {length:g} m")
        links.append(BeamLink(StandIn([start, end], f"link {i}"), radius, length, i == len(nodes) - 2))
    return links


def check_partners(system: Any, partners: Shape | Sequence[Shape]) -> list[Shape]:
    """The shapes that nodes may touch, as a list; raises unless they are shapes on bodies of the system."""
    given = [partners] if isinstance(partners, Shape) else list(partners)
    if not given:
        raise ParameterError("partners must be a shape or several, got none")
    for shape in given:
        if not isinstance(shape, Shape):
            raise ParameterError(f"a partner must be a Plane, Box, Cylinder or another Shape, got {shown(shape)}")
        if not belongs(shape.body, system):
            raise ParameterError(f"{body_name(shape.body)!r} is not in this system: call system.AddBody(body) first")
    return given


class FlexibleContact:
    """Contacts of nodes or beams with bodies, made by `add_nodes` and `add_beam` of an attachment.

    They act until `remove`, or until the attachment is detached.
    """

    def __init__(self, system: Any, found: NodeSet, shapes: Sequence[Shape], pairs: Sequence[Pair]) -> None:
        self._found = found
        self._pairs = pairs
        self._stand_ins = [shape.body for shape in shapes]
        self._bodies = list({body_key(pair.second.body): pair.second.body for pair in pairs}.values())
        self._let_go: Callable[[FlexibleContact], None] = lambda contact: None
        self._container: Any = None
        check_solver(system)
        type(system).Setup(system)
        layout = self._new_layout()
        table = ContactTable(dict(enumerate(pairs)), layout.numbers)
        self._forces = FlexibleForces(system, table, len(layout.owners), len(pairs))
        self._caution = StepCaution(material.normal for material in table.laws)
        self._install(layout)

    @property
    def system(self) -> Any:
        """The Chrono system."""
        return self._forces.clock.system

    @property
    def nodes(self) -> list[Any]:
        """The nodes in the order in which they were given."""
        return self._found.nodes

    @property
    def size(self) -> int:
        """Number of contact elements."""
        return len(self._forces.table)

    def _new_layout(self) -> Layout:
        """Where bodies and nodes are now."""
        return Layout(self._bodies, self._found.nodes, self._stand_ins)

    def _install(self, layout: Layout) -> None:
        """Add loads to the system, in place of the previous ones."""
        self._withdraw()
        load = flexible_load_class()(layout.things, self._forces)
        block = slope_block_class()
        blocks = [
            block([*(node for node in pair.first.body.nodes if not node.IsFixed()), pair.second.body])
            for pair in self._pairs
        ]
        self._container = pychrono().ChLoadContainer()
        for added in (load, *blocks):
            self._container.Add(added)
        type(self.system).Add(self.system, self._container)
        self._forces.lay_out(layout, layout.pair_records(self._pairs), load, blocks)

    def _withdraw(self) -> None:
        """Remove the loads from the system, if they are there."""
        items = [address(item) for item in self.system.GetOtherPhysicsItems()]
        if self._container is not None and address(self._container) in items:
            type(self.system).Remove(self.system, self._container)
        self._container = None

    def forces(self) -> NDArray[Any]:
        """The present gaps and forces of all contact elements, as a structured array of dtype FORCES.

        The bodies are named "node 0", "link 0" and so on, by their order.
        """
        lines = self._read().reports()
        table = self._forces.table
        return as_forces([number for number, _ in table.keys], table.elements, lines, self._forces.layout.owners)

    def node_forces(self) -> NDArray[np.float64]:
        """Contact force on each node now in N, in world components, one row each; zero on fixed nodes."""
        return self._read().on_nodes()

    def force_on(self, body: Any) -> Resultant:
        """Force in N and torque in N m about its centre of mass on a body, from these contacts, in world components."""
        check_body("body", body)
        keys = [body_key(other) for other in self._bodies]
        if body_key(body) not in keys:
            return Resultant(np.zeros(3), np.zeros(3))
        lines = self._read().reports()
        centre = body.GetPos()
        place = np.array((centre.x, centre.y, centre.z))
        return resultant(keys.index(body_key(body)), place, self._forces.table.elements, lines)

    def energy(self) -> Energy:
        """The energy ledger of these contacts up to the last step, integrated from powers at the ends of the steps."""
        forces = self._read()
        laws = [material.normal for material in forces.table.laws]
        return forces.energy(tuple(dict.fromkeys(repr(law) for law in laws if not law.has_potential)))

    def _read(self) -> FlexibleForces:
        """The forces, for a reading; raises if these contacts were removed or a callback failed."""
        if self._container is None:
            raise ParameterError("these contacts were removed: add_nodes or add_beam makes new ones")
        self.raise_failures()
        return self._forces

    def remove(self) -> None:
        """Remove these contacts from the system."""
        self._withdraw()
        self._let_go(self)

    def on_remove(self, let_go: Callable[[FlexibleContact], None]) -> None:
        """Call a function when these contacts are removed."""
        self._let_go = let_go

    def _check(self) -> None:
        """Raise if what is on the load has left the system or has changed: Chrono would write to stale memory."""
        self._found.check(self.system)
        for body in self._bodies:
            if not belongs(body, self.system):
                raise SystemChangedError(
                    f"{body_name(body)!r} has left the system while nodes are in contact with it: call remove() on "
                    "what add_nodes or add_beam returned first"
                )
        check_solver(self.system)

    def prepare(self) -> None:
        """Forces will be asked for: check the system, and follow nodes that were fixed or released."""
        try:
            self._check()
        except Exception:
            self.remove()
            raise
        forces = self._forces
        if not forces.layout.is_current or forces.load.sizes != (forces.layout.x, forces.layout.w):
            type(self.system).Setup(self.system)
            self._install(self._new_layout())
        forces.read_held()
        forces.clock.read_integrator()

    def before_step(self) -> None:
        """DoStepDynamics is about to step."""
        self.prepare()
        if self._forces.is_stale:
            self._forces.commit_now()
        self._forces.driven = True

    def after_step(self) -> None:
        """DoStepDynamics has stepped: commit the memory, and raise what callbacks had to defer."""
        self._forces.driven = False
        self.raise_failures()
        self._forces.commit_now()
        if self._forces.clock.once:
            self._caution.look(self.system)

    def abandon_step(self) -> None:
        """DoStepDynamics has raised an exception: raise the reason, if it is known."""
        self._forces.driven = False
        self.raise_failures()

    def raise_failures(self) -> None:
        """Raise the first exception that a callback of Chrono had to defer."""
        failures = self._forces.failures
        if failures:
            failure = failures[0]
            failures.clear()
            raise failure

    def shift_time(self, by: float) -> None:
        """The script has set the time of the system, to so many seconds more than it was."""
        self._forces.clock.committed += by

    def request_check(self, leaving: bool = False) -> None:
        """Something in the system may have changed: every step checks what matters here."""


def flexible_contact(
    system: Any, nodes: Any, partners: Shape | Sequence[Shape], material: Material, radius: float, as_beam: bool
) -> FlexibleContact:
    """Contacts of nodes, or of the links between them, with shapes on bodies.

    Args:
        system: the Chrono system. nodes: a ChMesh, or a sequence of its nodes. partners: one shape or several.
        radius: of the spheres or links in m. as_beam: whether there are links between the nodes.
    """
    if not isinstance(material, Material):
        raise ParameterError(f"material must be a Material, got {shown(material)}")
    given = check_partners(system, partners)
    found = find_nodes(system, nodes, 2 if as_beam else 1)
    if as_beam:
        shapes = beam_links(found.nodes, positive("radius", radius))
    else:
        shapes = node_spheres(found.nodes, not_negative("radius", radius))
    pairs = [Pair.of(shape, partner, material) for shape in shapes for partner in given]
    for pair in pairs:
        move_to_centres_of_mass(pair.first, pair.second, pair.elements)
    return FlexibleContact(system, found, shapes, pairs)
