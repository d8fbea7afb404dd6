"""Functions of a user's normal law."""


def spring(s, v, p):
    return p.k * max(p.s_0 - s, 0.0) - p.c * v


def repeated(s, v, p):
    return p.b * s + p.a * v + p.b


def plain(s, v, p):
    return s + v
