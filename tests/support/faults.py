"""Faults that are put into scenarios: every one of them must make the claim fail.

A fault changes what is simulated, never what judges: a run has the parameters of `change` and the patches of `patch`,
and its records are measured and checked as if it were the run that was asked for.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

LAWS = "chrono_powercontact.laws"
SCENARIOS = "chrono_powercontact.scenarios"


@dataclass(frozen=True)
class Fault:
    """One fault.

    Attributes:
        scenario: its name.
        what: the fault in a few words.
        given: parameters of the run that is asked for.
        change: parameters of the run that is made instead.
        patch: puts a fault into the code by monkeypatching; nothing unless given.
    """

    scenario: str
    what: str
    given: dict[str, Any] = field(default_factory=dict)
    change: dict[str, Any] = field(default_factory=dict)
    patch: Callable[[Any], None] = lambda monkeypatch: None

    def __str__(self) -> str:
        return f"{self.scenario}: {self.what}"


def unchecked(monkeypatch):
    """Laws take negative coefficients, with which they drive the motion."""
    for module in ("normal.restriction", "friction.dissipation"):
        monkeypatch.setattr(f"{LAWS}.{module}.not_negative", lambda *_: None)


def more_dissipation_in_the_map(monkeypatch):
    from chrono_powercontact.laws.normal.restriction import Restriction

    def faulty(s_0, s_c, r_f, r_d):
        return Restriction(s_0, s_c, r_f, 1.05 * r_d)

    monkeypatch.setattr(f"{SCENARIOS}.impact.restitution_map.Restriction", faulty)


def another_tossed_cube(monkeypatch):
    from dataclasses import replace

    from chrono_powercontact.scenarios.toss.simulated_tosses import TRUTH, simulated_tosses

    cube = replace(TRUTH, mu=0.19)
    monkeypatch.setattr(
        f"{SCENARIOS}.toss.toss_study.simulated_tosses", lambda n, seed: simulated_tosses(n, seed, cube)
    )


def forgetful_lpv_filter(monkeypatch):
    from chrono_powercontact.laws.friction.memory import LTIFilter

    monkeypatch.setattr(f"{SCENARIOS}.friction.hysteresis.LPVFilter", lambda t_f, v_f: LTIFilter(t_f))


def holding_lti_filter(monkeypatch):
    from chrono_powercontact.laws.friction.memory import LPVFilter

    monkeypatch.setattr(f"{SCENARIOS}.friction.hysteresis.LTIFilter", lambda t_f: LPVFilter(t_f, 0.01))


def anchors_as_filters(monkeypatch):
    """Where a scenario anchors its friction it has the filter of Table 2.2 instead."""
    from chrono_powercontact.laws.friction.memory import LPVFilter
    from chrono_powercontact.scenarios.groups import Anchored

    monkeypatch.setattr(Anchored, "anchor", lambda p: LPVFilter(3e-4, 1e-4))


def stiffer_friction_of_the_leg(monkeypatch):
    """Friction of hip and slide is 20 % above the table's."""
    from chrono_powercontact.scenarios.gait.leg import stages

    def faulty(*given, **named):
        model = stages.stage(*given, **named)
        hip, slide = (
            replace(axis, law=replace(axis.law, f_c=1.2 * axis.law.f_c, f_s=1.2 * axis.law.f_s))
            for axis in (model.hip, model.slide)
        )
        return replace(model, hip=hip, slide=slide)

    monkeypatch.setattr(f"{SCENARIOS}.gait.gait_trainer.stage", faulty)


def observer_without_the_stop(monkeypatch):
    """The observer of stage S3 has the model of S1."""
    from chrono_powercontact.scenarios.gait.study import leg_observers

    kept = leg_observers.observe
    wrong = {"s3": "s1"}
    monkeypatch.setattr(leg_observers, "observe", lambda name, *given: kept(wrong.get(name, name), *given))


def more_friction_in_the_controlled_leg(monkeypatch):
    """The leg in closed loop has a half more hip friction than its observer thinks."""
    from chrono_powercontact.scenarios.gait.control import leg_plants

    kept = leg_plants.controlled_stage

    def faulty(plant):
        model = kept(plant)
        law = model.hip.law
        return replace(model, hip=replace(model.hip, law=replace(law, f_c=1.5 * law.f_c, f_s=1.5 * law.f_s)))

    monkeypatch.setattr(leg_plants, "controlled_stage", faulty)


def nervous_alarms(monkeypatch):
    """The patient's torque may not depart from its mean at all."""
    from chrono_powercontact.scenarios.gait.faults import alarms

    monkeypatch.setitem(alarms.LIMITS, "spasm", 0.5)


def sensor_of_another_machine(monkeypatch):
    """The sensor knows the masses of V1, the machine has those of V2."""
    from chrono_powercontact.scenarios.rake import rake_sensor
    from chrono_powercontact.scenarios.rake.machine.machine import machine

    kept = rake_sensor.Sensor
    monkeypatch.setattr(rake_sensor, "Sensor", lambda body, rack: kept(machine("v1"), rack))


def one_version(monkeypatch):
    """Every version of the machine has the masses of V2."""
    from chrono_powercontact.scenarios.rake.cases import sweeps

    kept = sweeps.changed
    monkeypatch.setattr(sweeps, "changed", lambda p, version: kept(p, version="v2"))


def letting_go(monkeypatch):
    """The anchored law of the rack is the regularised one."""
    from chrono_powercontact.scenarios.rake.cases import load_cases

    kept = load_cases.contact_law
    monkeypatch.setattr(load_cases, "contact_law", lambda law, *numbers: kept("regularised", *numbers))


def no_mean(monkeypatch):
    """The regressed drive is not averaged."""
    monkeypatch.setattr(f"{SCENARIOS}.rake.cases.sweeps.averaged", lambda command: command)


def faster_flow(monkeypatch):
    """The flow is 5 % faster than it is told to be."""
    from chrono_powercontact.scenarios.rake.cases import static_cases

    kept = static_cases.flow_row
    monkeypatch.setattr(static_cases, "flow_row", lambda body, setup, v, rake: kept(body, setup, 1.05 * v, rake))


def denser_water(monkeypatch):
    """The water that lifts the arm has 2 % more density."""
    monkeypatch.setattr(f"{SCENARIOS}.rake.cases.static_cases.WATER_DENSITY", 1020.0)


def straight_concrete(monkeypatch):
    """The drive knows nothing of the bend between rack and concrete."""
    from chrono_powercontact.scenarios.rake.cases import load_cases

    kept = load_cases.over_the_edge

    def ignorant(setup):
        return kept(replace(setup, rack=replace(setup.rack, concrete_tilt=0.0)))

    monkeypatch.setattr(load_cases, "over_the_edge", ignorant)


def heavier_example(part):
    """A worked example whose part has a hundredth more mass than it is told to have."""

    def patch(monkeypatch):
        from chrono_powercontact.scenarios.examples import worked_examples

        for name, example in worked_examples.EXAMPLES.items():
            if part in example.numbers:
                numbers = {**example.numbers, part: 1.01 * example.numbers[part]}
                monkeypatch.setitem(worked_examples.EXAMPLES, name, replace(example, numbers=numbers))

    return patch


def taken_over_with(**choices):
    """The one line is given numbers that are not the script's."""

    def patch(monkeypatch):
        from chrono_powercontact.chrono.attachment import Attachment

        kept = Attachment.take_over
        monkeypatch.setattr(Attachment, "take_over", lambda self: kept(self, **choices))

    return patch


def weak_mortar(monkeypatch):
    """Mortar bears three quarters of what the formula assumes."""
    from chrono_powercontact.scenarios.solids.masonry import MasonryParameters

    kept = MasonryParameters.mortared
    monkeypatch.setattr(MasonryParameters, "mortared", lambda self: kept(replace(self, mortar=0.75 * self.mortar)))


def heavier_shank(monkeypatch):
    """The shank of the leg has a hundredth more mass than the digest's."""
    from chrono_powercontact.scenarios.loops import leg

    monkeypatch.setitem(leg.NUMBERS, "m_s", 1.01 * leg.NUMBERS["m_s"])


def anchors_without_a_lag(monkeypatch):
    """Anchors forget the lag that they were given."""
    from chrono_powercontact.laws.friction.anchor import Anchor

    rivals = f"{SCENARIOS}.friction.rivals.rival_set"
    monkeypatch.setattr(f"{rivals}.Anchor", lambda presliding, tau, lag: Anchor(presliding, tau))


def strands_that_are_all_alike(monkeypatch):
    """Strands have the limit of the anchor that they divide."""
    from chrono_powercontact.laws import strands

    monkeypatch.setattr(strands, "RATIO", 1.0)


def more_dissipation_in_the_phases(monkeypatch):
    """The wall of the runs dissipates 5 % more than the one of the integrals."""
    from chrono_powercontact.scenarios.impact.phases import phase_case

    kept = phase_case.fly

    def faulty(mass, law, *given):
        return kept(mass, replace(law, r_d=1.05 * law.r_d), *given)

    monkeypatch.setattr(phase_case, "fly", faulty)


def weaker_gravity(monkeypatch):
    """The falling ball has a twentieth less gravity."""
    from chrono_powercontact.scenarios.impact.phases import gravity_case

    kept = gravity_case.point_mass
    monkeypatch.setattr(gravity_case, "point_mass", lambda mass, law, g: kept(mass, law, 0.95 * g))


def soft_reduced_arm(monkeypatch):
    """The reduced arm lacks a hundredth of its stiffness."""
    from chrono_powercontact.lagrange.beams.beams import Beam, Section
    from chrono_powercontact.scenarios.rake.modes import reduction_case

    kept = reduction_case.knuckle_beam

    def faulty(elements):
        beam = kept(elements)
        softer = tuple(Section(0.99 * section.bending, section.mass) for section in beam.sections)
        return Beam(beam.stations, softer, beam.masses)

    def reduced(p, modes):
        beam = faulty(p.elements)
        return reduction_case.reduce_beam(beam, {"scraper": beam.length}, modes)

    monkeypatch.setattr(reduction_case, "reduced_arm", reduced)


def stiffer_full_arms(monkeypatch):
    """The full machine has a main arm that is a fiftieth stiffer than the reduced one's."""
    from chrono_powercontact.scenarios.rake.machine.machine import machine
    from chrono_powercontact.scenarios.rake.modes import machine_case

    kept = machine_case.pressing
    body = machine()
    stiffer = replace(body, main=replace(body.main, stiffness=1.02 * body.main.stiffness))

    def faulty(p, arms, modes):
        setup = kept(p, arms, modes)
        return replace(setup, machine=stiffer) if arms == "full" else setup

    monkeypatch.setattr(machine_case, "pressing", faulty)


def flow_without_a_profile(monkeypatch):
    """The runs have a uniform flow."""
    from chrono_powercontact.scenarios.rake.modes import flow_case

    kept = flow_case.forces

    def faulty(poses, surface, exponent, scale):
        return kept(poses, surface, 1e6 if exponent == 7.0 else exponent, scale)

    monkeypatch.setattr(flow_case, "forces", faulty)


SHORT_LAB = {"case": "dither"}
HELD = {"time": 0.5}


def unequal_feet(monkeypatch):
    """Foot A of the anchored block is twice as soft as foot B."""
    from chrono_powercontact.scenarios.hyperstatic.block import block_runs

    kept = block_runs.smooth_block

    def faulty(load, feet):
        memory = feet["A"].memory
        soft = replace(feet["A"], memory=replace(memory, presliding=2.0 * memory.presliding))
        return kept(load, feet | {"A": soft})

    monkeypatch.setattr(block_runs, "smooth_block", faulty)


def forgotten_prestress(monkeypatch):
    """Start anchors are not put into the state."""
    from chrono_powercontact.scenarios.hyperstatic import start_runs

    kept = start_runs.resting_state
    monkeypatch.setattr(start_runs, "resting_state", lambda system, anchors: kept(system))


def weaker_springs(monkeypatch):
    """The springs of the cut are a tenth weaker than told."""
    from chrono_powercontact.scenarios.hyperstatic import energy_runs

    kept = energy_runs.cut_block
    weak = energy_runs.LOW._replace(c_r=0.9 * energy_runs.LOW.c_r)
    monkeypatch.setattr(energy_runs, "cut_block", lambda load, springs: kept(load, weak))


def one_pair_of_springs(monkeypatch):
    """Every cut has the springs of the thesis."""
    from chrono_powercontact.scenarios.hyperstatic import truth_runs

    kept = truth_runs.cut_share
    monkeypatch.setattr(truth_runs, "cut_share", lambda springs, force: kept(truth_runs.THESIS, force))
    monkeypatch.setattr(truth_runs, "missing_library", lambda: "not needed")


FAULTS = (
    Fault("ball", "a tenth more dissipation", change={"r_d": 1.1}),
    Fault("ball", "a contact that drives", change={"r_d": -0.1}, patch=unchecked),
    Fault("ball", "a hundredth more mass", change={"mass": 0.0505}),
    Fault("restitution_map", "more dissipation", {"n_speed": 3, "n_r_d": 3}, patch=more_dissipation_in_the_map),
    Fault("impact_phases", "more dissipation", patch=more_dissipation_in_the_phases),
    Fault("impact_phases", "a hundredth more mass", change={"mass": 0.0505}),
    Fault("impact_phases", "weaker gravity", {"case": "gravity"}, patch=weaker_gravity),
    Fault("impact_phases", "a tenth more play", {"case": "backlash"}, {"play": 0.011}),
    Fault("drop", "a hundredth more mass", {"time": 0.6}, {"mass": 0.0505}),
    Fault("drop", "no dissipation", {"time": 0.6}, {"r_d": 0.0}),
    Fault("wall", "a hundredth more force", change={"r_f": 10100.0}),
    Fault("wall", "no dissipation", {"speed": 200.0}, {"r_d": 0.0}),
    Fault("hysteresis", "an LPV filter that never closes", patch=forgetful_lpv_filter),
    Fault("hysteresis", "an LTI filter that closes", {"profile": "rests"}, patch=holding_lti_filter),
    Fault("hysteresis", "half the Coulomb friction", {"profile": "rests"}, {"f_c": 0.5, "f_s": 0.7}),
    Fault("stick_slip", "a little less friction", {"table": "coarse"}, {"f_c": 0.97, "f_s": 1.358}),
    Fault("stick_slip", "a tenth more stiction", {"table": "coarse"}, {"f_s": 1.54}),
    Fault("stick_slip", "friction that drives", {"table": "coarse"}, {"f_c": -1.0, "f_s": 0.0}, unchecked),
    Fault("stick_slip", "an anchor that creeps", {"friction": "anchored"}, patch=anchors_as_filters),
    Fault("stick_slip_2d", "a hundredth more stiction", {"memory": "point"}, {"f_s": 1.414}),
    Fault("stick_slip_2d", "no pull sideways", {"memory": "point"}, {"amplitude": 0.0}),
    Fault("pendulum", "a contact that drives", {"time": 0.4}, {"r_d": -0.1}, unchecked),
    Fault("pendulum", "friction that drives", {"time": 0.4, "mu_s": 0.2, "mu_c": 0.18, "memory": "anchored"},
          {"mu_s": -0.2, "mu_c": -0.2, "memory": "coordinate"}, unchecked),
    Fault("cube", "a contact that drives", {"time": 0.5, "friction": False}, {"r_d": -0.1}, unchecked),
    Fault("cube", "friction where there is none", {"time": 0.5, "friction": False}, {"friction": True}),
    Fault("slope", "half the friction", {"time": 0.5}, {"mu_s": 0.25, "mu_c": 0.25}),
    Fault("slope", "a hundredth more mass", {"time": 0.5}, {"mass": 1.01}),
    Fault("slope", "a tenth more creep", {"time": 0.5}, {"v_c": 5.5e-5, "v_s": 1.1e-4}),
    Fault("slide", "a hundredth more friction", change={"mu": 0.505}),
    Fault("slide", "friction that drives", change={"mu": -0.1}, patch=unchecked),
    Fault("stack", "a hundredth more mass", {"spheres": 2, "height": 1.0, "spacing": 2.0, "time": 3.0}, {"mass": 1.01}),
    Fault("stack", "no dissipation", {"spheres": 2, "height": 1.0, "spacing": 2.0, "time": 3.0}, {"r_d": 0.0}),
    Fault("roll", "no friction", {"time": 0.5}, {"mu_s": 0.0, "mu_c": 0.0}),
    Fault("friction_lab", "an anchor that creeps", SHORT_LAB, patch=anchors_as_filters),
    Fault("friction_lab", "a hundredth more stiction", {"case": "direction"}, {"f_s": 1.428}),
    Fault("friction_laws", "anchors without a lag", {"law": "anchor_lag"}, patch=anchors_without_a_lag),
    Fault("friction_laws", "strands that are all alike", {"law": "strands"}, patch=strands_that_are_all_alike),
    Fault("friction_laws", "bristles that hardly bend", {"law": "lugre"}, {"k": 1e6}),
    Fault("rocking_slope", "half the friction", {"time": 3.0}, {"mu": 0.25}),
    Fault("rocking_slope", "a filter in place of the anchor", {"time": 3.0}, {"memory": "lpv"}),
    Fault("box_stack", "half the friction", {"time": 0.4, "boxes": 2}, {"mu": 0.1}),
    Fault("ladder", "half the friction", HELD, {"mu": 0.25}),
    Fault("gripper", "too little friction", HELD, {"mu": 0.2}),
    Fault("gripper", "a hundredth more mass", HELD, {"mass": 0.505}),
    Fault("wheel", "a hundredth more rolling friction", change={"arm": 0.0202}),
    Fault("wheel", "no friction", change={"mu": 1e-6}),
    Fault("four_bar", "a hundredth more coupler", {"time": 0.3}, {"m2": 1.111}),
    Fault("four_bar", "a longer rocker", {"time": 0.3}, {"l3": 0.2501}),
    Fault("slider_crank", "a hundredth more slider", {"time": 0.25}, {"m3": 0.707}),
    Fault("double_rocker", "a hundredth more rocker", {"time": 0.6}, {"m3": 0.909}),
    Fault("cartesian_pendulum", "a hundredth more mass", {"time": 2.0}, {"mass": 1.01}),
    Fault("cartesian_pendulum", "coordinates that are held too long", {"time": 2.0}, {"hold": 0.7}),
    Fault("leg", "a heavier shank", {"time": 0.4}, patch=heavier_shank),
    Fault("lagrange_example", "a hundredth more second link", patch=heavier_example("m2")),
    Fault("lagrange_example", "cart: a hundredth more bob", {"which": "cart_pendulum"}, patch=heavier_example("m2")),
    Fault("lagrange_example", "two masses: a hundredth more", {"which": "two_masses"}, patch=heavier_example("m2")),
    Fault("lagrange_example", "pendulum: a longer rod", {"which": "pendulum"}, patch=heavier_example("l")),
    Fault("lagrange_example", "crane: a heavier load", {"which": "crane"}, patch=heavier_example("m_l")),
    Fault("lagrange_example", "sleigh: more inertia", {"which": "sleigh"}, patch=heavier_example("J")),
    Fault("lagrange_example", "disc: a larger one", {"which": "rolling_disc"}, patch=heavier_example("r")),
    Fault("gait_trainer", "friction above the table's", patch=stiffer_friction_of_the_leg),
    Fault("gait_trainer", "no knee stop", change={"stage": "s2"}),
    Fault("gait_observer", "an observer without the stop", patch=observer_without_the_stop),
    Fault("gait_control", "more hip friction than told", {"time": 8.0}, patch=more_friction_in_the_controlled_leg),
    Fault("gait_control", "an observer without the stop", {"exercise": 2, "time": 8.0}, {"observer": "s2"}),
    Fault("gait_faults", "wear that does not happen", {"begin": 5.0, "time": 10.0, "seeds": 1}, {"fault": "none"}),
    Fault("gait_faults", "an alarm for a sound patient", {"fault": "sensor", "begin": 5.0, "time": 6.0, "seeds": 1},
          patch=nervous_alarms),
    Fault("gait_identification", "another leg than the one that is told", {}, {"hip_f_c": 4.4}),
    Fault("rake_cleaner", "a tenth more friction", {"time": 62.5}, {"mu_s": 0.715, "mu_d": 0.55}),
    Fault("rake_cleaner", "a rack 2 mm closer", {"time": 62.5}, {"rack_offset": 2e-3}),
    Fault("rake_cleaner", "arms of another version", {"time": 62.5}, {"version": "v1"}),
    Fault("rake_cleaner", "a law that lets go", {"time": 69.5, "law": "anchored"}, {"law": "regularised"}),
    Fault("rake_cleaner", "lc0: arms of another version", {"case": "lc0"}, {"version": "v1"}),
    Fault("rake_cleaner", "lc1: V1 has the masses of V2", {"case": "lc1", "time": 5.0}, patch=one_version),
    Fault("rake_cleaner", "lc2: a rack 2 mm closer", {"case": "lc2", "time": 62.5}, {"rack_offset": 2e-3}),
    Fault("rake_cleaner", "lc3b: an anchor that lets go", {"case": "lc3b"}, patch=letting_go),
    Fault("rake_cleaner", "lc4: no mean", {"case": "lc4", "time": 16.0}, patch=no_mean),
    Fault("rake_cleaner", "lc5: faster flow", {"case": "lc5"}, patch=faster_flow),
    Fault("rake_cleaner", "lc6: denser water", {"case": "lc6"}, patch=denser_water),
    Fault("rake_cleaner", "lc7: a rack 25 mm closer", {"case": "lc7", "time": 69.0}, {"rack_offset": 0.025}),
    Fault("rake_cleaner", "lc8: a rack 2 mm closer", {"case": "lc8", "time": 62.5}, {"rack_offset": 2e-3}),
    Fault("rake_cleaner", "lc9: a tenth more friction", {"case": "lc9"}, {"mu_s": 0.715, "mu_d": 0.55}),
    Fault("rake_cleaner", "lc10: no bend at the top", {"case": "lc10"}, patch=straight_concrete),
    Fault("rake_sensor", "a sensor of another machine", patch=sensor_of_another_machine),
    Fault("rake_sensor", "a rack 10 mm from where it is told", {"version": "v3", "flow": 0.73}, {"rack_offset": 0.01}),
    Fault("hyperstatic_block", "a fifth more friction at one foot", {}, {"mu_b": 0.12}),
    Fault("hyperstatic_block", "a pseudoinverse that loses the balance", {}, {"strategy": "pinv"}),
    Fault("hyperstatic_block", "a vertex in place of the least norm", {}, {"strategy": "lemke"}),
    Fault("hyperstatic_block", "one foot softer than the other", {"law": "anchored"}, patch=unequal_feet),
    Fault("hyperstatic_start", "feet that forget their prestress", patch=forgotten_prestress),
    Fault("hyperstatic_energy", "weaker springs", patch=weaker_springs),
    Fault("hyperstatic_truth", "the thesis' springs for a beam's", patch=one_pair_of_springs),
    Fault("four_legs", "legs of equal length", {}, {"short": 0.0}),
    Fault("four_legs", "a tenth more friction", {}, {"mu_b": 0.66}),
    Fault("arm_modes", "a softer reduced arm", {"elements": 20}, patch=soft_reduced_arm),
    Fault("arm_modes", "a tenth more load", {"elements": 20}, {"press": 11e3}),
    Fault("arm_modes", "machine: stiffer full arms", {"case": "machine", "time": 0.9}, patch=stiffer_full_arms),
    Fault("arm_modes", "flow without a profile", {"case": "flow"}, patch=flow_without_a_profile),
    Fault("cube_toss", "another cube than the one that is told", {"fit": 6}, patch=another_tossed_cube),
    Fault("cube_toss", "a centre of mass in the middle", {"fit": 6}, {"centre": False}),
    Fault("adoption", "less friction than the shapes have", {"demo": "associated", "time": 0.3},
          patch=taken_over_with(friction=0.05)),
    Fault("adoption", "more rolling friction than the shapes have", {"demo": "friction"},
          patch=taken_over_with(rolling=0.03)),
    Fault("adoption", "a contact that gives way by 2 cm", {"demo": "buildsystem"},
          patch=taken_over_with(penetration=0.02)),
    Fault("rolling_disc", "ground too slippery to roll", {"time": 0.3, "step": 4e-5}, {"mu": 0.1}),
    Fault("tyre", "ground too slippery to roll", {"time": 0.25, "step": 5e-5}, {"mu": 0.05}),
    Fault("rattleback", "ground too slippery to roll", {"time": 0.5, "step": 2e-5}, {"mu": 0.05}),
    Fault("tippe_top", "no friction", {}, {"mu": 1e-4}),
    Fault("tippe_top", "a patch as wide as the top is high", {}, {"patch": 5e-3}),
    Fault("masonry", "blocks that slide", {"blocks": 2, "time": 1.0}, {"mu": 0.2}),
    Fault("masonry", "mortar that breaks early", {"mortar": 2000.0, "time": 1.0}, patch=weak_mortar),
    Fault("euler_disc", "a tenth more rolling friction", {"time": 2.4}, {"arm": 5.5e-4}),
    Fault("hopper", "a slot that grains bridge", {"slots": 3, "time": 2.5}, {"narrowest": 3.0}),
    Fault("pool_table", "balls that rub twice as hard", {}, {"mu_ball": 0.12}),
    Fault("pool_table", "a softer bounce", {}, {"restitution": 0.9}),
)  # fmt: skip
