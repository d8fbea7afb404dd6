"""A free body that flies into a contact law and out again, for the tests of the laws."""

from scipy.integrate import solve_ivp


def impact(law, mass, speed):
    """Flight of a free body from s_0 into the contact and back to s_0."""

    def leave(t, y):
        return y[0] - law.s_0 if t > 0.0 else -1.0

    leave.terminal = True
    leave.direction = 1.0
    return solve_ivp(
        lambda _, y: (y[1], float(law.force(y[0], y[1])) / mass),
        (0.0, 1e3),
        (law.s_0, -speed),
        method="DOP853",
        rtol=1e-10,
        atol=1e-13,
        events=(leave, lambda _, y: y[1]),
        first_step=1e-7,
    )
