"""Project Chrono: our contacts with forces at the end or at the start of a step, its SMC and its NSC."""

from __future__ import annotations

from typing import Any

import chrono_powercontact as pc
from chrono_powercontact.chrono.api import bridge as api
from chrono_powercontact.chrono.run.built_in import GROUND_MASS
from chrono_powercontact.chrono.run.surfaces import SurfaceRequest, surface

from .world import CORNER_RADIUS, Body, Run, World, followed

if api.missing() is not None:
    raise ImportError(api.missing())

SETTINGS = ("ours, implicit", "ours, explicit", "SMC Hooke", "NSC")

IMPOSSIBLE: dict[str, str] = {}

NSC_ITERATIONS = 200
"""With which NSC holds a box on a slope."""

CORNER = (CORNER_RADIUS, 0.0019, 10.0)
"""Of our law at a corner: begin and full activation in m, dissipation in s/m."""

REACH = 20.0
"""Half the edge of the ground in m under SMC and NSC."""

SPRING_LENGTH = 1.0
"""Length in m at which the spring that pulls has no force."""


def friction_of(world: World) -> pc.Material:
    """Our material for corners: friction that sticks."""
    s_0, s_c, r_d = CORNER
    friction = pc.Friction(world.mu, world.mu, 5e-5, None, 0.0, 1e-6)
    return pc.Material(pc.Restriction(s_0, s_c, world.force_limit, r_d), friction, pc.Anchor())


def ball_material(world: World) -> pc.Material:
    """Our material for a ball that bounces: the restitution and the depth asked."""
    body = world.bodies[0]
    law = pc.design_restriction(
        s_0=body.radius,
        mass=body.mass,
        speed=world.speed,
        restitution=world.restitution,
        penetration=world.depth,
        force_limit=world.force_limit,
    )
    return pc.Material(law)


def our_shape(body: Any, made: Body) -> pc.Shape:
    """The shape of a body under our law."""
    if made.ball:
        return pc.Sphere(body, radius=made.radius)
    return pc.Box(body, [edge - 2.0 * CORNER_RADIUS for edge in made.size], radius=CORNER_RADIUS)


def touch_ours(system: Any, ground: Any, bodies: list[Any], world: World, stepping: str) -> Any:
    """Our contacts: the first body on the ground, each other one with its feet on the one below."""
    contacts = pc.attach(system, stepping=stepping)
    material = ball_material(world) if world.bodies[0].ball else friction_of(world)
    contacts.add(our_shape(bodies[0], world.bodies[0]), pc.Plane(ground), material)
    for i in range(1, len(bodies)):
        feet = world.bodies[i].feet(CORNER_RADIUS)
        below = our_shape(bodies[i - 1], world.bodies[i - 1])
        contacts.add(pc.Points(bodies[i], feet, CORNER_RADIUS), below, material)
    return contacts


def request(world: World) -> SurfaceRequest:
    """What the material of SMC and NSC is matched to: the depth in the impact asked, or at rest on four corners."""
    mass = world.bodies[0].mass
    if world.restitution > 0.0:
        return SurfaceRequest(world.mu, world.restitution, mass, world.speed, world.depth, striking=mass)
    return SurfaceRequest(world.mu, 0.0, mass, world.speed, world.depth, load=0.25 * world.weight)


def rival_system(law: str, world: World) -> tuple[Any, Any]:
    """A system under SMC or NSC, and the material of all its surfaces."""
    chrono = api.pychrono()
    made = surface(law, request(world))
    if law == "nsc":
        system, material = chrono.ChSystemNSC(), chrono.ChContactMaterialNSC()
        chrono.ChCollisionModel.SetDefaultSuggestedEnvelope(0.1 * min(world.bodies[0].size))
        system.GetSolver().AsIterative().SetMaxIterations(NSC_ITERATIONS)
    else:
        system, material = chrono.ChSystemSMC(), chrono.ChContactMaterialSMC()
        system.SetContactForceModel(chrono.ChSystemSMC.Hooke)
        system.SetCharacteristicImpactVelocity(made.speed)
        material.SetYoungModulus(made.young)
    material.SetFriction(made.mu)
    material.SetRestitution(made.restitution)
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    return system, material


def make_body(system: Any, made: Body, material: Any = None) -> Any:
    """A body of the world, with a collision shape if there is a material."""
    chrono = api.pychrono()
    body = chrono.ChBody()
    body.SetMass(made.mass)
    body.SetInertiaXX(chrono.ChVector3d(*made.moments))
    body.SetPos(chrono.ChVector3d(*made.at))
    body.SetRot(chrono.ChQuaterniond(*made.turn))
    body.SetPosDt(chrono.ChVector3d(*made.velocity))
    body.SetAngVelParent(chrono.ChVector3d(*made.spin))
    if material is not None:
        ball = chrono.ChCollisionShapeSphere(material, made.radius)
        body.AddCollisionShape(ball if made.ball else chrono.ChCollisionShapeBox(material, *made.size))
        body.EnableCollision(True)
    system.AddBody(body)
    return body


def make_ground(system: Any, material: Any = None) -> Any:
    """The fixed ground; its top is z = 0."""
    chrono = api.pychrono()
    ground = chrono.ChBody()
    ground.SetFixed(True)
    ground.SetMass(GROUND_MASS)
    if material is not None:
        shape = chrono.ChCollisionShapeBox(material, 2.0 * REACH, 2.0 * REACH, 1.0)
        ground.AddCollisionShape(shape, chrono.ChFramed(chrono.ChVector3d(0.0, 0.0, -0.5)))
        ground.EnableCollision(True)
    system.AddBody(ground)
    return ground


def make_pull(system: Any, body: Any, world: World) -> Any:
    """The moving end of Chrono's own spring to a body, if there is one."""
    if world.pull is None:
        return None
    chrono = api.pychrono()
    hand = chrono.ChBody()
    hand.SetFixed(True)
    height = body.GetPos().z
    hand.SetPos(chrono.ChVector3d(SPRING_LENGTH, 0.0, height))
    system.AddBody(hand)
    spring = chrono.ChLinkTSDA()
    middle = chrono.ChVector3d(0.0, 0.0, 0.0)
    spring.Initialize(body, hand, True, middle, middle)
    spring.SetRestLength(SPRING_LENGTH)
    spring.SetSpringCoefficient(world.pull.stiffness)
    system.AddLink(spring)
    return hand


def build(setting: str, world: World) -> tuple[Any, list[Any], Any, Any]:
    """System, bodies, moving end of the spring, and what must be kept alive."""
    chrono = api.pychrono()
    ours = setting.startswith("ours")
    law = "nsc" if setting == "NSC" else "smc-hooke"
    system, material = (chrono.ChSystemSMC(), None) if ours else rival_system(law, world)
    system.SetGravitationalAcceleration(chrono.ChVector3d(*world.gravity))
    ground = make_ground(system, material)
    bodies = [make_body(system, made, material) for made in world.bodies]
    kept = touch_ours(system, ground, bodies, world, setting.split(", ")[1]) if ours else material
    return system, bodies, make_pull(system, bodies[0], world), kept


def simulate(setting: str, world: World, step: float) -> Run:
    """Run a world with a step in s."""
    system, bodies, hand, _kept = build(setting, world)
    vector = api.pychrono().ChVector3d

    def advance(count: int) -> None:
        for _ in range(count):
            if hand is not None and world.pull is not None:
                end = SPRING_LENGTH + world.pull.end(system.GetChTime())
                hand.SetPos(vector(end, 0.0, world.bodies[0].at[2]))
            system.DoStepDynamics(step)

    def read() -> list[list[float]]:
        poses = [(body.GetPos(), body.GetRot()) for body in bodies]
        return [[p.x, p.y, p.z, q.e0, q.e1, q.e2, q.e3] for p, q in poses]

    return followed(advance, read, world, step)
