import math

import pytest
from taken import colliding_system, cube_hull, prism_hull

from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.takeover.collision_shapes import is_foreign
from chrono_powercontact.chrono.takeover.materials.skins import Skins, compose, half_width, read_skin
from chrono_powercontact.errors import ParameterError

pytestmark = pytest.mark.chrono


def material(method="nsc", **values):
    """A material of Chrono's with some of its numbers set."""
    made = getattr(pychrono(), f"ChContactMaterial{method.upper()}")()
    for name, value in values.items():
        getattr(made, f"Set{name}")(value)
    return made


def skin(method="nsc", size=0.1, **values):
    return read_skin(pychrono().ChCollisionShapeSphere(material(method, **values), size), False)


def composed(a, b, method="nsc"):
    system, _ = colliding_system(method)
    return compose(a, b, system.GetMaterialCompositionStrategy(), system)


@pytest.mark.parametrize("method", ["smc", "nsc"])
def test_friction_and_restitution_are_read(method):
    values = {"StaticFriction": 0.5, "SlidingFriction": 0.3, "RollingFriction": 1e-3, "SpinningFriction": 2e-3}
    surface = skin(method, **values, Restitution=0.2).surface
    assert (surface.friction, surface.sliding, surface.rolling, surface.spinning) == (0.5, 0.3, 1e-3, 2e-3)
    assert surface.restitution == 0.2


def test_a_sliding_friction_that_was_not_set_is_the_static_one():
    assert skin(StaticFriction=0.9).surface.sliding == 0.9


@pytest.mark.parametrize("method", ["smc", "nsc"])
def test_two_surfaces_have_the_smaller_friction_and_restitution(method):
    a = skin(method, Friction=0.5, RollingFriction=1e-3, Restitution=0.8)
    b = skin(method, Friction=0.2, RollingFriction=1.0, Restitution=0.9)
    surface = composed(a, b, method)
    assert (surface.friction, surface.sliding, surface.rolling, surface.restitution) == (0.2, 0.2, 1e-3, 0.8)


def test_sliding_friction_does_not_exceed_the_static_one():
    surface = composed(skin(StaticFriction=0.3, SlidingFriction=0.5), skin(Friction=0.9))
    assert (surface.friction, surface.sliding) == (0.3, 0.3)


def test_stiffness_counts_where_it_is_given():
    assert composed(skin("smc"), skin("smc"), "smc").hertzian is None
    stiff = skin("smc", YoungModulus=1e7, PoissonRatio=0.3)
    radius = pychrono().ChCollisionInfo.GetDefaultEffectiveCurvatureRadius()
    wanted = 4.0 / 3.0 * math.sqrt(radius) * 1e7 / (2.0 * (1.0 - 0.09))
    assert composed(stiff, stiff, "smc").hertzian == pytest.approx(wanted)
    assert composed(skin(Compliance=1e-6), skin(Compliance=3e-6)).linear == pytest.approx(1.0 / 4e-6)
    assert composed(skin(), skin()).linear is None


def test_kn_counts_without_material_properties():
    system, _ = colliding_system("smc")
    system.UseMaterialProperties(False)
    system.SetContactForceModel(pychrono().ChSystemSMC.Hooke)
    a, b = skin("smc", Kn=1e6), skin("smc", Kn=3e6)
    assert compose(a, b, system.GetMaterialCompositionStrategy(), system).linear == pytest.approx(2e6)


def test_the_size_is_half_the_smallest_width():
    chrono = pychrono()
    nsc = material()
    assert half_width(chrono.ChCollisionShapeBox(nsc, 0.4, 0.2, 0.1)) == pytest.approx(0.05)
    assert half_width(chrono.ChCollisionShapeSphere(nsc, 0.3)) == pytest.approx(0.3)
    assert half_width(chrono.ChCollisionShapeCylinder(nsc, 0.5, 0.2)) == pytest.approx(0.1)
    assert half_width(cube_hull(nsc, 0.2)) == pytest.approx(0.2)


def test_equal_surfaces_share_a_number(without_coal):
    chrono = pychrono()
    skins = Skins(is_foreign)
    shapes = [
        chrono.ChCollisionShapeSphere(material(Friction=mu), r) for mu, r in ((0.2, 0.1), (0.2, 0.11), (0.3, 0.1))
    ]
    assert [skins.number_of(shape) for shape in shapes] == [0, 0, 1]
    assert skins.number_of(cube_hull(material(Friction=0.2), 0.1)) == 0
    assert skins.number_of(prism_hull(material(Friction=0.2), 0.1)) == 2
    assert skins.all[2].foreign


def test_a_shape_at_the_place_of_one_that_is_gone_is_another():
    chrono = pychrono()
    skins = Skins(is_foreign)
    frictions = [0.001 * i for i in range(200)]
    numbers = [skins.number_of(chrono.ChCollisionShapeSphere(material(Friction=mu), 0.1)) for mu in frictions]
    assert numbers == list(range(200))


@pytest.mark.parametrize(
    ("method", "values", "message"),
    [
        ("nsc", {"Friction": -0.1}, "friction must not be negative, got -0.1"),
        ("smc", {"Friction": math.nan}, "friction must be a finite number, got nan"),
        ("nsc", {"Restitution": 1.5}, "restitution must lie between 0 and 1, got 1.5"),
        ("nsc", {"Restitution": -0.5}, "restitution must lie between 0 and 1, got -0.5"),
        ("nsc", {"RollingFriction": -1.0}, "rolling friction must not be negative, got -1"),
        ("smc", {"YoungModulus": -5.0}, "Young's modulus must be greater than 0, got -5"),
        ("smc", {"PoissonRatio": 2.0}, "Poisson's ratio must lie between -1 and 1, got 2"),
    ],
)
def test_impossible_materials_are_refused_with_the_value(method, values, message):
    with pytest.raises(ParameterError, match=f"^{message}$"):
        skin(method, **values)
