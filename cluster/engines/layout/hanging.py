"""Rules that end in the open, as strokes of letters and of shadows do on a scan: what hangs parts no cells."""

from collections.abc import Iterator, Sequence

from cluster.engines.layout.model import TextLine
from cluster.engines.layout.nested import Rule, Rules
from cluster.engines.layout.undrawn import NEAR

#: A piece of the same rule begins so near (points) behind a gap.
_GAP = 12.0
#: So many other rules that end alike are a table's open side.
_SIDE = 2
#: A rule of which more than this share lies within lines of text, so far (letters) from their edges, is of letters.
_LETTERS, _INNER, _END = 0.4, 0.25, 0.7


def held(across: Sequence[Rule], down: Sequence[Rule], lines: Sequence[TextLine]) -> Rules:
    """Flat and upright rules, each from where it first meets one of the other way to where it last does.

    It may go on to its next piece and to a table's open side; what meets fewer than two is left out, and with it what
    was held by that.
    """
    flat = [rule for rule in across if not _is_struck(rule, [*_along(rule, lines)])]
    upright = [rule for rule in down if not _is_struck(rule, [*_through(rule, lines)])]
    while True:
        kept = [*_between(flat, upright)], [*_between(upright, flat)]
        if kept == (flat, upright):
            return kept
        flat, upright = kept


def _along(rule: Rule, lines: Sequence[TextLine]) -> Iterator[tuple[float, float]]:
    """Where the flat rule goes through the middle of lines."""
    for left, top, right, bottom in (line.box for line in lines):
        if top + _INNER * (bottom - top) < rule.at < bottom - _INNER * (bottom - top):
            yield max(left, rule.start), min(right, rule.end)


def _through(rule: Rule, lines: Sequence[TextLine]) -> Iterator[tuple[float, float]]:
    """Where the upright rule goes through lines, off their ends."""
    for left, top, right, bottom in (line.box for line in lines):
        if left + _END * (bottom - top) < rule.at < right - _END * (bottom - top):
            yield max(top, rule.start), min(bottom, rule.end)


def _is_struck(rule: Rule, parts: Sequence[tuple[float, float]]) -> bool:
    within = sum(max(0.0, end - start) for start, end in parts)
    return within > _LETTERS * (rule.end - rule.start)


def _between(rules: Sequence[Rule], others: Sequence[Rule]) -> Iterator[Rule]:
    for rule in rules:
        ends = (
            end for end in (rule.start, rule.end) if _has_next(end, rule, rules) or _is_side(end, rule, rules, others)
        )
        places = [*_meetings(rule, others), *ends]
        if places and max(places) - min(places) > NEAR:
            yield Rule(rule.at, min(places), max(places))


def _meetings(rule: Rule, others: Sequence[Rule]) -> Iterator[float]:
    for other in others:
        near = other.start - NEAR <= rule.at <= other.end + NEAR
        if near and rule.start - NEAR <= other.at <= rule.end + NEAR:
            yield min(max(other.at, rule.start), rule.end)


def _has_next(end: float, rule: Rule, rules: Sequence[Rule]) -> bool:
    """Whether the rule's next piece begins there."""
    on = (other for other in rules if other is not rule and abs(other.at - rule.at) <= NEAR)
    return any(other.start - _GAP <= end <= other.end + _GAP for other in on)


def _is_side(end: float, rule: Rule, rules: Sequence[Rule], others: Sequence[Rule]) -> bool:
    """Whether it lies beyond all rules of the other way, and more rules end there."""
    if any(other.at < end for other in others) and any(other.at > end for other in others):
        return False
    apart = (other for other in rules if abs(other.at - rule.at) > NEAR)
    return sum(min(abs(other.start - end), abs(other.end - end)) <= NEAR for other in apart) >= _SIDE
