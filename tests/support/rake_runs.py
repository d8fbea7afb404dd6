"""Short runs of the rake cleaner on Chrono, and parts of its command."""

from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.parameters import read_parameters
from chrono_powercontact.scenarios.rake.machine.drive import PACKAGED, Command, read_command


def quiet(share):
    """No progress is shown."""


def on_chrono(setup, law, step, time, **more):
    from chrono_powercontact.scenarios.rake.scene.scene_run import run_on_chrono

    return run_on_chrono(setup, law, step, time, quiet, **more)


def asked_for(**values):
    """The scenario's parameters for a run on Chrono."""
    return read_parameters(find("rake_cleaner").parameters_on("chrono"), values)


def part_of_the_command(begin, end):
    whole = read_command(PACKAGED)
    kept = (whole.t >= begin) & (whole.t <= end)
    return Command(whole.t[kept] - begin, whole.c[:, kept])
