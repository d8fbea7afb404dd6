from chrono_powercontact.chrono.contact.addresses import integers_at
from chrono_powercontact.chrono.implicit import step_context as on
from chrono_powercontact.chrono.implicit.step_arrays import StepArrays


class Owner:
    steps = on.word(on.STEPS)
    committed = on.time(on.COMMITTED)

    def __init__(self, context):
        self.context = context


def test_properties_are_numbers_of_the_context():
    arrays = StepArrays()
    owner = Owner(on.StepContext(arrays))
    assert owner.steps == -1
    owner.steps = 3
    owner.committed = 0.25
    assert owner.context.words[on.STEPS] == 3
    assert owner.context.times[on.COMMITTED] == 0.25
    assert (owner.steps, owner.committed) == (3, 0.25)
    assert owner.context.words[on.DIRECTORY] == arrays.entries.ctypes.data
    assert integers_at(owner.context.place, on.WORDS)[on.STEPS] == 3


def test_without_arrays_there_is_no_directory():
    assert on.StepContext().words[on.DIRECTORY] == 0
