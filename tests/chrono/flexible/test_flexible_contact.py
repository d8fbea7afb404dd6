"""Contacts of nodes and beams against closed forms, and what a user may do to them."""

import math

import numpy as np
import pytest

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import PyChronoError, pychrono, set_integrator
from tests.support.flexible_scenes import Steel, add_cable, add_mass, need_fea, new_system, soft, use_hht

pytestmark = pytest.mark.chrono
STIFF = pc.Material(pc.Hooke(s_0=0.0, k=1e6, c=1e2))


@pytest.fixture(autouse=True)
def fea():
    return need_fea()


def step(system, h, time):
    for _ in range(round(time / h)):
        system.DoStepDynamics(h)


def propped(elements, integrator, h):
    """Force of a stop under the tip of a cantilever, over that of a beam whose tip has sagged as far."""
    beam = Steel()
    system, ground = new_system()
    nodes, _ = beam.add(system, elements)
    use_hht(system) if integrator == "hht" else set_integrator(system, integrator)
    stop = pc.Plane(ground, at=(0.0, 0.0, -0.0101))
    contact = pc.attach(system).add_nodes([nodes[-1]], stop, STIFF, radius=0.01)
    step(system, h, 2.0)
    sag = -nodes[-1].GetPos().z
    free = beam.load * beam.length**4 / (8 * beam.bending)
    return contact.node_forces()[0, 2] / (3 * beam.bending / beam.length**3 * (free - sag))


@pytest.mark.parametrize(
    ("integrator", "h"),
    [("euler_implicit_linearized", 1e-3), ("euler_implicit_linearized", 1e-2), ("hht", 1e-3), ("hht", 1e-2)],
)
def test_a_propped_cantilever_presses_as_its_bending_says(integrator, h):
    assert propped(20, integrator, h) == pytest.approx(1.0, abs=1e-3)


def test_what_is_left_is_chronos_lumped_weight_and_falls_with_the_square_of_the_elements():
    errors = [propped(n, "euler_implicit_linearized", 5e-3) - 1.0 for n in (5, 10, 20)]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.05)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.05)


def test_a_rod_of_finite_elements_rolls_down_a_slope_as_a_rigid_cylinder(fea):
    chrono = pychrono()
    radius, slope, g = 0.02, math.radians(10.0), 9.81
    system, ground = new_system((g * math.sin(slope), 0.0, -g * math.cos(slope)))
    section = fea.ChBeamSectionEulerAdvanced()
    section.SetAsCircularSection(2 * radius)
    section.SetYoungModulus(1e8)
    section.SetShearModulus(4e7)
    section.SetDensity(1000.0)
    mesh = fea.ChMesh()
    builder = fea.ChBuilderBeamEuler()
    ends = [chrono.ChVector3d(0.0, side * 0.25, radius) for side in (-1, 1)]
    builder.BuildBeam(mesh, section, 5, *ends, chrono.ChVector3d(1.0, 0.0, 0.0))
    nodes = list(builder.GetLastBeamNodes())
    system.Add(mesh)
    material = pc.Material(pc.Hooke(0.0, 1e5, 50.0), pc.Friction(0.5, 0.5, 1e-3), pc.Anchor(1e-5))
    contact = pc.attach(system).add_beam(nodes, pc.Plane(ground), material, radius=radius)
    step(system, 5e-4, 0.2)
    before = nodes[2].GetPosDt().x
    step(system, 5e-4, 0.2)
    assert (nodes[2].GetPosDt().x - before) / 0.2 == pytest.approx(2 / 3 * g * math.sin(slope), rel=2e-3)
    assert nodes[2].GetAngVelParent().y * radius == pytest.approx(nodes[2].GetPosDt().x, rel=2e-3)
    weight = 1000.0 * math.pi * radius**2 * 0.5 * g
    assert -contact.force_on(ground).force[2] == pytest.approx(weight * math.cos(slope), rel=5e-3)


@pytest.mark.parametrize("h", [1e-4, 1e-3])
def test_a_mass_stays_on_a_slope_and_slides_down_a_steeper_one(h):
    mu, g = 0.5, 9.81
    speeds = {}
    for degrees in (20.0, 35.0):
        slope = math.radians(degrees)
        system, ground = new_system((g * math.sin(slope), 0.0, -g * math.cos(slope)))
        node = add_mass(system, (0.0, 0.0, 0.05))
        material = pc.Material(soft(), pc.Friction(mu, mu, 1e-3), pc.Anchor(5e-6))
        pc.attach(system).add_nodes([node], pc.Plane(ground), material, radius=0.05)
        step(system, h, 0.5)
        before = node.GetPosDt().x
        step(system, h, 0.1)
        speeds[degrees] = node.GetPosDt().x, (node.GetPosDt().x - before) / 0.1
    assert abs(speeds[20.0][0]) < 1e-9
    slope = math.radians(35.0)
    assert speeds[35.0][1] == pytest.approx(g * (math.sin(slope) - mu * math.cos(slope)), rel=5e-3)


def test_a_sliding_mass_is_braked_by_friction_alone_at_a_long_step():
    """An anchor must not act as the spring that it is at rest where a step goes far beyond its limit."""
    system, ground = new_system()
    node = add_mass(system, (0.0, 0.0, 0.0489), velocity=(1.0, 0.0, 0.0))
    material = pc.Material(soft(), pc.Friction(0.5, 0.5, 1e-3), pc.Anchor(5e-6))
    pc.attach(system).add_nodes([node], pc.Plane(ground), material, radius=0.05)
    step(system, 1e-3, 0.1)
    assert node.GetPosDt().x == pytest.approx(1.0 - 0.5 * 9.81 * 0.1, rel=0.02)


def test_a_ball_at_rest_bends_a_cantilever_by_its_weight():
    chrono = pychrono()
    beam = Steel()
    system, _ = new_system()
    nodes, mesh = beam.add(system, 10)
    mesh.SetAutomaticGravity(False)
    ball = chrono.ChBody()
    ball.SetMass(2.0)
    ball.SetPos(chrono.ChVector3d(beam.length, 0.0, 0.06))
    guide = chrono.ChLinkLockPrismatic()
    system.AddBody(ball)
    guide.Initialize(ball, system.GetBodies()[0], chrono.ChFramed(ball.GetPos()))
    system.AddLink(guide)
    contact = pc.attach(system).add_nodes([nodes[-1]], pc.Sphere(ball, radius=0.05), STIFF, radius=0.01)
    step(system, 2e-3, 3.0)
    assert contact.force_on(ball).force[2] == pytest.approx(2.0 * 9.81, rel=1e-4)
    assert contact.node_forces()[0, 2] == pytest.approx(-2.0 * 9.81, rel=1e-4)
    bent = 2.0 * 9.81 * beam.length**3 / (3 * beam.bending)
    assert nodes[-1].GetPos().z == pytest.approx(-bent, rel=1e-3)


def test_a_cable_with_slopes_lies_on_the_ground_with_its_weight():
    system, ground = new_system()
    _, mesh, weight = add_cable(system, 6, (0.0, 0.0, 0.006), (0.3, 0.0, 0.006))
    material = pc.Material(soft(0.002), pc.Friction(0.5, 0.5, 1e-3), pc.Anchor(1e-5))
    contact = pc.attach(system).add_nodes(mesh, pc.Plane(ground), material, radius=0.005)
    step(system, 1e-3, 1.0)
    assert contact.node_forces()[:, 2].sum() == pytest.approx(weight, rel=1e-4)
    assert contact.node_forces().shape == (7, 3)
    assert -contact.force_on(ground).force[2] == pytest.approx(weight, rel=1e-4)


@pytest.mark.parametrize("ends", [(0,), (0, -1)])
def test_fixed_nodes_with_slopes_take_no_force(ends):
    system, ground = new_system()
    nodes, _, weight = add_cable(system, 6, (0.0, 0.0, 0.006), (0.3, 0.0, 0.006))
    for end in ends:
        nodes[end].SetFixed(True)
    contact = pc.attach(system).add_beam(nodes, pc.Plane(ground), pc.Material(soft(0.002)), radius=0.005)
    step(system, 1e-3, 1.0)
    forces = contact.node_forces()
    assert not forces[list(ends)].any()
    assert 0.0 < forces[:, 2].sum() < weight


def test_a_node_that_is_released_falls_onto_the_ground():
    beam = Steel()
    system, ground = new_system()
    nodes, _ = beam.add(system, 4, (0.0, 0.0, 0.05), (1.0, 0.0, 0.05))
    contact = pc.attach(system).add_beam(nodes, pc.Plane(ground), pc.Material(soft(1.0)), radius=0.01)
    step(system, 1e-3, 0.05)
    assert not contact.node_forces().any()
    nodes[0].SetFixed(False)
    step(system, 1e-3, 1.5)
    assert contact.node_forces()[:, 2].sum() == pytest.approx(beam.weight, rel=1e-3)


def test_a_mass_on_a_node_bounces_as_a_ball():
    """Both under HHT and short steps, where it does not matter how a step is solved."""
    chrono = pychrono()
    law = pc.design_restriction(s_0=0.0, mass=1.0, speed=1.0, restitution=0.6, penetration=5e-3, force_limit=2000.0)
    system, ground = new_system()
    node = add_mass(system, (0.0, 0.0, 0.1), velocity=(0.3, 0.0, -1.0))
    ball = chrono.ChBody()
    ball.SetPos(chrono.ChVector3d(0.0, 1.0, 0.1))
    ball.SetPosDt(chrono.ChVector3d(0.3, 0.0, -1.0))
    ball.SetInertiaXX(chrono.ChVector3d(1e9, 1e9, 1e9))
    system.AddBody(ball)
    use_hht(system)
    material = pc.Material(law, pc.Friction(0.2, 0.2, 1e-3))
    contacts = pc.attach(system)
    contact = contacts.add_nodes([node], pc.Plane(ground), material, radius=0.05)
    contacts.add(pc.Sphere(ball, radius=0.05), pc.Plane(ground), material)
    step(system, 1e-4, 0.3)
    assert node.GetPos().z == pytest.approx(ball.GetPos().z, abs=2e-6)
    assert node.GetPosDt().x == pytest.approx(ball.GetPosDt().x, abs=2e-5)
    assert node.GetPosDt().z > 0.0 or node.GetPos().z > 0.05
    ledger = contact.energy()
    assert ledger.error == pytest.approx(0.0, abs=1e-3 * abs(ledger.exchanged))
    assert ledger.contact_heat > 0.0
    assert ledger.friction_heat > 0.0


def test_steps_that_something_else_drives_commit_too():
    system, ground = new_system()
    node = add_mass(system, (0.0, 0.0, 0.05))
    material = pc.Material(soft(), pc.Friction(0.5, 0.5, 1e-3), pc.Anchor(5e-6))
    contact = pc.attach(system).add_nodes([node], pc.Plane(ground), material, radius=0.05)
    system.DoFrameDynamics(0.5, 1e-3)
    assert contact.node_forces()[0, 2] == pytest.approx(9.81, rel=1e-3)


def test_elements_are_named_by_node_and_link():
    system, ground = new_system()
    nodes, _ = Steel().add(system, 3)
    contacts = pc.attach(system)
    spheres = contacts.add_nodes(nodes, pc.Plane(ground), STIFF, radius=0.01)
    links = contacts.add_beam(nodes, pc.Plane(ground), STIFF, radius=0.01)
    assert spheres.forces()["body_a"].tolist() == [f"node {i}" for i in range(4)]
    assert set(spheres.forces()["body_b"]) == {"ground"}
    assert links.forces()["body_a"].tolist() == ["link 0", "link 1", "link 2", "link 2"]
    assert links.size == 4
    assert contacts.forces().size == 0


def test_removed_contacts_do_nothing():
    system, ground = new_system()
    node = add_mass(system, (0.0, 0.0, 0.05))
    contacts = pc.attach(system)
    contact = contacts.add_nodes([node], pc.Plane(ground), STIFF, radius=0.05)
    step(system, 1e-3, 0.02)
    contact.remove()
    step(system, 1e-3, 0.1)
    assert node.GetPos().z < 0.01
    with pytest.raises(pc.ParameterError, match="these contacts were removed"):
        contact.forces()
    contact.remove()
    contacts.detach()
    step(system, 1e-3, 0.1)


def test_detaching_removes_them():
    system, ground = new_system()
    node = add_mass(system, (0.0, 0.0, 0.05))
    contacts = pc.attach(system)
    contacts.add_nodes([node], pc.Plane(ground), STIFF, radius=0.05)
    contacts.detach()
    assert len(system.GetOtherPhysicsItems()) == 0
    step(system, 1e-3, 0.2)
    assert node.GetPos().z < 0.0


@pytest.mark.parametrize("what", ["mesh", "node", "body"])
def test_what_leaves_is_noticed_before_the_step(what):
    system, ground = new_system()
    nodes, mesh = Steel().add(system, 3)
    system.AddBody(pychrono().ChBody())
    contact = pc.attach(system).add_nodes(nodes, pc.Plane(ground), STIFF, radius=0.01)
    step(system, 1e-3, 0.01)
    leave = {
        "mesh": lambda: system.Remove(mesh), "node": mesh.ClearNodes, "body": lambda: system.RemoveBody(ground),
    }  # fmt: skip
    leave[what]()
    with pytest.raises(pc.PowerContactError, match=r"call remove\(\)"):
        system.DoStepDynamics(1e-3)
    with pytest.raises(pc.ParameterError, match="removed"):
        contact.forces()
    if what == "body":
        step(system, 1e-3, 0.01)


def test_a_step_that_diverges_ends_in_one_sentence():
    """Chrono's own iteration with the slopes of the start of the step; its solver would not survive what comes."""
    system, ground = new_system()
    nodes, _ = Steel().add(system, 20)
    use_hht(system)
    stepper = pychrono().CastToChTimestepperImplicit(system.GetTimestepper())
    stepper.SetJacobianUpdateMethod(stepper.JacobianUpdate_EVERY_STEP)
    stop = pc.Plane(ground, at=(0.0, 0.0, -0.0101))
    pc.attach(system).add_nodes([nodes[-1]], stop, STIFF, radius=0.01)
    with pytest.raises(pc.PowerContactError, match=r"has left the scene at 0\.01 s: use a shorter step"):
        step(system, 1e-2, 1.0)


BAD = {
    "nodes must be a ChMesh or a sequence of its nodes, got 3": {"nodes": 3},
    "a node must be a ChNodeFEAxyz or a ChNodeFEAxyzrot": {"nodes": ["a"]},
    "nodes must be at least 1, got 0": {"nodes": []},
    "radius must not be negative, got -1": {"radius": -1.0},
    "material must be a Material, got 'soft'": {"material": "soft"},
    "partners must be a shape or several, got none": {"partners": []},
    "a partner must be a Plane, Box, Cylinder or another Shape, got 'floor'": {"partners": ["floor"]},
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_told_in_one_sentence(message):
    system, ground = new_system()
    good = {"nodes": [add_mass(system)], "partners": pc.Plane(ground), "material": STIFF, "radius": 0.1}
    with pytest.raises(pc.ParameterError) as told:
        pc.attach(system).add_nodes(**{**good, **BAD[message]})
    assert str(told.value).startswith(message)
    assert len(system.GetOtherPhysicsItems()) == 0


def test_other_bad_input_is_told_in_one_sentence(fea):
    chrono = pychrono()
    system, ground = new_system()
    contacts = pc.attach(system)
    node = add_mass(system)
    other = add_mass(new_system()[0])
    stranger = chrono.ChBody()
    plane = pc.Plane(ground)
    with pytest.raises(pc.ParameterError, match="1 of 2 nodes are in no mesh of this system"):
        contacts.add_nodes([node, other], plane, STIFF)
    with pytest.raises(pc.ParameterError, match="nodes must all be different"):
        contacts.add_nodes([node, node], plane, STIFF)
    with pytest.raises(pc.ParameterError, match="is not in this system"):
        contacts.add_nodes([node], pc.Plane(stranger), STIFF)
    with pytest.raises(pc.ParameterError, match="nodes must be at least 2, got 1"):
        contacts.add_beam([node], plane, STIFF, 0.1)
    with pytest.raises(pc.ParameterError, match="radius must be greater than 0"):
        contacts.add_beam([node, add_mass(system, (1.0, 0.0, 0.0))], plane, STIFF, 0.0)
    with pytest.raises(pc.ParameterError, match="nodes 0 and 1 of a beam must be apart"):
        contacts.add_beam([node, add_mass(system)], plane, STIFF, 0.1)
    system.SetSolverType(chrono.ChSolver.Type_PSOR)
    with pytest.raises(pc.ParameterError, match="needs a linear solver"):
        contacts.add_nodes([node], plane, STIFF)
    contacts.detach()
    with pytest.raises(pc.ParameterError, match="was detached"):
        contacts.add_nodes([node], plane, STIFF)


def test_a_build_without_finite_elements_is_told(monkeypatch):
    system, ground = new_system()
    node = add_mass(system)
    monkeypatch.setitem(__import__("sys").modules, "pychrono.fea", None)
    with pytest.raises(PyChronoError, match="built without its module fea"):
        pc.attach(system).add_nodes([node], pc.Plane(ground), STIFF)


def test_a_system_with_contacts_of_nodes_is_not_kept_alive():
    import gc
    import weakref

    system, ground = new_system()
    node = add_mass(system)
    pc.attach(system).add_nodes([node], pc.Plane(ground), STIFF)
    system.DoStepDynamics(1e-3)
    alive = weakref.ref(system)
    del system, ground, node
    gc.collect()
    assert alive() is None


def test_nodes_of_several_kinds_are_one_cloud():
    """Nodes of several meshes and kinds may be given together."""
    system, ground = new_system()
    masses = [add_mass(system, (x, 0.0, 0.05)) for x in (0.0, 1.0)]
    nodes, _ = Steel().add(system, 2, (0.0, 1.0, 0.05), (1.0, 1.0, 0.05), clamped=False)
    contact = pc.attach(system).add_nodes([*masses, *nodes], pc.Plane(ground), pc.Material(soft()), radius=0.05)
    step(system, 1e-3, 1.0)
    assert contact.node_forces()[:, 2].sum() == pytest.approx(2 * 9.81 + Steel.weight, rel=1e-3)
    assert np.isfinite(contact.forces()["gap"]).all()
