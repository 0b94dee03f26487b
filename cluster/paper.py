"""Sizes of paper, in points, standing upright: width and height."""

Size = tuple[float, float]

MM = 72 / 25.4
A4: Size = (210 * MM, 297 * MM)
PAPERS: dict[str, Size] = {
    "a3": (297 * MM, 420 * MM),
    "a4": A4,
    "a5": (148 * MM, 210 * MM),
    "letter": (612.0, 792.0),
}
