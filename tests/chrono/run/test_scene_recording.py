import gc
import weakref

import numpy as np
import pytest
from scene import ROUGH, SMOOTH, empty_system, falling_cube, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono, set_integrator
from chrono_powercontact.errors import ParameterError
from chrono_powercontact.trajectory import Trajectory

pytestmark = pytest.mark.chrono


def heap(count=6):
    """Balls and boxes with Chrono's own collision shapes that fall on a plate."""
    chrono = pychrono()
    system = chrono.ChSystemSMC()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
    material = chrono.ChContactMaterialSMC()
    floor = chrono.ChBodyEasyBox(4, 4, 0.2, 1000, True, True, material)
    floor.SetPos(chrono.ChVector3d(0, 0, -0.1))
    floor.SetFixed(True)
    system.AddBody(floor)
    for i in range(count):
        easy = chrono.ChBodyEasyBox(0.2, 0.2, 0.2, 1000, True, True, material)
        easy.SetPos(chrono.ChVector3d(0.3 * i, 0.0, 0.11))
        system.AddBody(easy)
    return system


def test_poses_contacts_and_energies_are_those_of_the_run():
    system, cube, contacts = falling_cube(ROUGH, height=0.2)
    recording = pc.record(system, frames=100.0, columns={"z": lambda: cube.GetPos().z})
    run(system, 0.4)
    assert len(recording) == 41
    assert recording.bodies == ["ground", "cube"]
    last = cube.GetPos()
    assert recording.positions[-1, 1] == pytest.approx([last.x, last.y, last.z])
    assert recording["z"][-1] == pytest.approx(last.z)
    touching = [frame for frame in recording.frames if frame.contacts.size]
    assert touching
    assert all(frame.contacts["normal"][:, 2].min() > 0.0 for frame in touching)
    kinds = [piece.kind for piece in recording.pieces]
    assert kinds == ["plane", "box"]
    parts = ("kinetic", "potential", "stored", "contact heat", "friction heat", "taken by the step")
    total = sum(recording[name] for name in parts)
    assert np.ptp(total) < 0.02 * recording["kinetic"].max()
    assert recording["contact heat"][-1] == pytest.approx(contacts.energy().contact_heat)


@pytest.mark.parametrize("integrator", ["euler_implicit_linearized", "runge_kutta"])
def test_the_ledger_is_that_of_all_attachments_and_bodies(integrator):
    system = empty_system()
    set_integrator(system, integrator)
    ground = new_body(system, fixed=True)
    attachments = [pc.attach(system) for _ in range(2)]
    for x, contacts in enumerate(attachments):
        ball = new_body(system, 1.0, (x, 0.0, 0.1))
        contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), SMOOTH)
    new_body(system, 1.0, (5.0, 0.0, 3.0), (0.0, 0.0, 2.0))
    recording = pc.record(system)
    run(system, 0.1)
    parts = recording.values[:, :6].sum(axis=1)
    assert np.ptp(parts) < 0.02 * recording["kinetic"].max()
    heat = sum(contacts.energy().contact_heat for contacts in attachments)
    assert heat > 0.0
    assert recording["contact heat"][-1] == pytest.approx(heat, rel=1e-2)


def test_what_a_box_at_rest_stores_is_what_the_ledger_says():
    system = empty_system()
    ground = new_body(system, fixed=True)
    box = new_body(system, 1.0, (0.0, 0.0, 0.05))
    contacts = pc.attach(system)
    contacts.add(pc.Box(box, 0.1), pc.Plane(ground), SMOOTH)
    recording = pc.record(system)
    run(system, 1.0, 5e-3)
    told = contacts.energy()
    assert told.stored != 0.0
    assert recording["stored"][-1] == pytest.approx(told.stored, rel=1e-6)
    assert recording["taken by the step"][-1] == pytest.approx(told.step - told.unpaid, rel=1e-6)


def test_a_sliding_and_a_sticking_box_are_told_apart():
    system = empty_system()
    ground = new_body(system, fixed=True)
    contacts = pc.attach(system)
    inertia = (1e-3, 1e-3, 1e-3)
    for x, speed in ((0.0, 0.0), (1.0, 2.0)):
        box = new_body(system, 0.4, (x, 0.0, 0.052), (speed, 0.0, 0.0), inertia=inertia)
        contacts.add(pc.Box(box, 0.1, 0.002), pc.Plane(ground), ROUGH)
    recording = pc.record(system)
    run(system, 0.1)
    touching = recording.frames[-1].contacts
    fast = touching["point"][:, 0] > 0.5
    assert fast.any()
    assert (~fast).any()
    assert touching["sliding"][fast].all()
    assert not touching["sliding"][~fast].any()
    assert touching["friction"][fast][:, 0].max() < 0.0


def test_recording_does_not_change_a_run():
    ends = []
    for recorded in (False, True):
        system, cube, _ = falling_cube(SMOOTH, height=0.2)
        if recorded:
            pc.record(system)
        run(system, 0.3)
        ends.append((cube.GetPos().x, cube.GetPos().y, cube.GetPos().z))
    assert ends[0] == ends[1]


def test_what_is_attached_or_added_later_is_recorded_too():
    system = empty_system()
    ground = new_body(system, fixed=True)
    recording = pc.record(system)
    ball = new_body(system, 1.0, (0.0, 0.0, 0.1), name="ball")
    pc.attach(system).add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), SMOOTH)
    run(system, 0.1)
    assert recording.bodies[-1] == "ball"
    assert recording.frames[-1].contacts.size == 1
    assert [piece.kind for piece in recording.pieces] == ["ball"]


@pytest.mark.parametrize("taken", [True, False])
def test_shapes_of_a_script_are_seen_under_either_contact(taken):
    system = heap()
    if taken:
        pc.attach(system).take_over()
    recording = pc.record(system)
    for _ in range(200):
        system.DoStepDynamics(1e-3)
    assert len(recording.bodies) == 7
    assert {piece.kind for piece in recording.pieces} == {"box"}
    last = recording.frames[-1].contacts
    weight = 6 * 8.0 * 9.81
    assert np.abs(last["normal"][:, 2]).sum() == pytest.approx(weight, rel=0.1)


def test_a_body_with_another_reference_frame_is_drawn_where_it_is():
    chrono = pychrono()
    system = empty_system()
    part = chrono.ChBodyAuxRef()
    part.SetFrameCOMToRef(chrono.ChFramed(chrono.ChVector3d(0.0, 0.0, 0.5)))
    part.AddVisualShape(chrono.ChVisualShapeSphere(0.1))
    system.AddBody(part)
    recording = pc.record(system)
    assert recording.positions[0, 0] == pytest.approx([0.0, 0.0, 0.5])
    assert recording.pieces[0].position == pytest.approx([0.0, 0.0, -0.5])


def test_visual_shapes_keep_kind_colour_and_mesh():
    chrono = pychrono()
    system = empty_system()
    body = new_body(system)
    cylinder = chrono.ChVisualShapeCylinder(0.1, 0.4)
    cylinder.SetColor(chrono.ChColor(1.0, 0.0, 0.0))
    body.AddVisualShape(cylinder)
    mesh = chrono.ChTriangleMeshConnected()
    mesh.AddTriangle(chrono.ChVector3d(0, 0, 0), chrono.ChVector3d(1, 0, 0), chrono.ChVector3d(0, 1, 0))
    shape = chrono.ChVisualShapeTriangleMesh()
    shape.SetMesh(mesh)
    body.AddVisualShape(shape)
    body.AddVisualShape(chrono.ChVisualShapeCapsule(0.1, 0.2))
    pieces = pc.record(system).pieces
    assert [piece.kind for piece in pieces] == ["cylinder", "mesh", "capsule"]
    assert pieces[0].colour == (255, 0, 0)
    assert pieces[1].faces.shape == (1, 3)


def test_stop_ends_the_recording_and_a_system_can_die():
    system = empty_system()
    new_body(system)
    recording = pc.record(system)
    run(system, 0.05)
    count = len(recording)
    recording.stop()
    run(system, 0.1)
    assert len(recording) == count
    gone = weakref.ref(system)
    del system
    gc.collect()
    assert gone() is None


def test_a_finished_run_is_recorded_from_its_columns():
    t = np.linspace(0.0, 1.0, 101)
    trajectory = Trajectory(("t", "z"), np.column_stack([t, 1.0 - t]), 100)
    recording = pc.record(trajectory, [pc.Drawn("ball", "ball", (0.1,), (0.0, 0.0, "z"))], columns=["z"])
    assert recording.positions[-1, 0] == pytest.approx([0.0, 0.0, 0.0])


def test_bad_input_is_one_sentence():
    system = empty_system()
    with pytest.raises(ParameterError, match="columns must be functions by name"):
        pc.record(system, columns=["z"])
    with pytest.raises(ParameterError, match="names of the energy ledger, got kinetic"):
        pc.record(system, columns={"kinetic": lambda: 0.0})
    with pytest.raises(ParameterError, match="frames must be"):
        pc.record(system, frames=0.0)
    with pytest.raises(ParameterError, match="bodies and contacts are for a Trajectory"):
        pc.record(system, [pc.Drawn("a", "ball", (1.0,))])
    with pytest.raises(ParameterError, match="must be"):
        pc.record(3.0)
