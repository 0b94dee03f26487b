"""Numbers of pages as the document's own page labels."""

from typing import TYPE_CHECKING, Any

from cluster.engines.marks.numbers import Number, Style, written

if TYPE_CHECKING:
    import pikepdf

#: What PDF can count by itself; the rest is written out page by page.
_COUNTED: dict[Style, str] = {"1": "/D", "i": "/r", "I": "/R", "a": "/a", "A": "/A"}


def set_labels(pdf: "pikepdf.Pdf", numbers: dict[int, Number], prefix: str = "", suffix: str = "") -> None:
    """Label pages (1-based) with their numbers, the others with nothing; replaces what labels there were."""
    from pikepdf import Array, Dictionary

    runs: list[Any] = []
    expected: Any = None
    for page in range(1, len(pdf.pages) + 1):
        number = numbers.get(page)
        style = _style(number, suffix)
        now = (style, number and number.number)
        if now != expected or (number and not style):
            runs += [page - 1, _entry(number, style, prefix, suffix)]
        expected = (style, number and number.number + 1)
    pdf.Root.PageLabels = pdf.make_indirect(Dictionary(Nums=Array(runs)))


def _style(number: Number | None, suffix: str) -> str | None:
    if number is None or suffix or number.digits > 1 or number.number < 1:
        return None
    return _COUNTED.get(number.style)


def _entry(number: Number | None, style: str | None, prefix: str, suffix: str) -> Any:
    from pikepdf import Dictionary, Name, String

    if number is None:
        return Dictionary()
    if style is None:
        return Dictionary(P=String(prefix + written(number.number, number.style, number.digits) + suffix))
    entry = Dictionary(S=Name(style), St=number.number)
    if prefix:
        entry.P = String(prefix)
    return entry
