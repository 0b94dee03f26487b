"""Matrices of PDF as six numbers: where what is drawn lands."""

Matrix = tuple[float, float, float, float, float, float]
"""a b c d e f of PDF's `cm`."""
WHOLE: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_FLAT = 1e-12


def times(a: Matrix, b: Matrix) -> Matrix:
    """First a, then b."""
    return (
        a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4], a[4] * b[1] + a[5] * b[3] + b[5],
    )  # fmt: skip


def inverse(m: Matrix) -> Matrix | None:
    """The way back; None where all falls on a line."""
    size = m[0] * m[3] - m[1] * m[2]
    if abs(size) < _FLAT:
        return None
    a, b, c, d = m[3] / size, -m[1] / size, -m[2] / size, m[0] / size
    return a, b, c, d, -(m[4] * a + m[5] * c), -(m[4] * b + m[5] * d)


def place(m: Matrix, x: float, y: float) -> tuple[float, float]:
    """Where a point lands."""
    return m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]
