"""Annotations of a part's pages: links that still lead somewhere, notes, widgets."""

from dataclasses import dataclass
from typing import Any

from cluster.engines.pages.fields import Fields
from cluster.engines.pages.part import Part
from cluster.engines.pdf.syntax import Ref, number

_BETWEEN = (b"/Popup", b"/IRT", b"/Parent")
#: Of a field that cannot stand twice, what it looks like: a stamp that nobody fills in.
_LOOK = (b"/Type", b"/Rect", b"/AP", b"/AS", b"/F", b"/OC")


@dataclass
class Tally:
    """Links and other annotations of the chosen pages, and how many of the links stay.

    `doubled` are widgets of pages that stand again: fields have one set, so there they are only looked at.
    """

    links: int = 0
    links_kept: int = 0
    others: int = 0
    doubled: int = 0


class Annotations:
    """Takes the annotations of one part's pages."""

    def __init__(self, part: Part, fields: Fields, tally: Tally) -> None:
        self.document, self.part, self.fields, self.tally = part.whole.document, part, fields, tally

    def take(self, listed: Any, factor: float | None = None, *, again: bool = False) -> list[int]:
        """Write the kept ones of a page's /Annots; their numbers. `again`: the page stands twice in the part.

        `factor` is how much larger the page becomes.
        """
        kept, copier = [], self.part.copier
        for each in self.document.array(listed):
            annotation = self.document.get(each)
            if type(annotation) is dict and (changed := self._kept(each, annotation, again)) is not None:
                claimed = type(each) is Ref and not again
                kept.append((copier.claim(each) if claimed else copier.sink.reserve(), each, changed))
        local = {each for _, each, _ in kept if type(each) is Ref}
        for made, each, annotation in kept:
            self._put(made, each, self._scaled(annotation, factor), local, again)
        return [made for made, _, _ in kept]

    def _scaled(self, annotation: dict[bytes, Any], factor: float | None) -> dict[bytes, Any]:
        if factor is None:
            return annotation
        from cluster.engines.pages.scale import scaled_annotation

        return scaled_annotation(self.document, annotation, factor)

    def _kept(self, each: Any, annotation: dict[bytes, Any], again: bool) -> dict[bytes, Any] | None:
        kind = self.document.get(annotation.get(b"/Subtype"))
        if kind == b"/Link":
            self.tally.links += 1
            changed = self.part.led(annotation)
            self.tally.links_kept += changed is not None
            return changed
        if kind == b"/Widget":
            return self._widget(each, annotation, again)
        self.tally.others += kind not in (b"/Popup", None) and not again
        return None if again and kind == b"/Popup" else annotation

    def _widget(self, each: Any, widget: dict[bytes, Any], again: bool) -> dict[bytes, Any] | None:
        if not self.fields.kept:
            self.fields.drop(each, widget)
            return None
        if again or type(each) is not Ref:
            self.tally.doubled += 1
            look = {key: widget[key] for key in _LOOK if key in widget}
            return {**look, b"/Subtype": b"/Stamp"} if b"/AP" in look else None
        return widget

    def _put(self, made: int, each: Any, annotation: dict[bytes, Any], local: set[Any], again: bool) -> None:
        copier = self.part.copier
        if b"/StructParent" in annotation:
            if again:
                annotation = {key: value for key, value in annotation.items() if key != b"/StructParent"}
            else:
                copier.keys.add(number(annotation[b"/StructParent"], -1))
                annotation = self.part.shifted(annotation)
        if annotation.get(b"/Subtype") == b"/Widget":
            annotation = self.fields.take(each, annotation)
        else:
            between = _BETWEEN if again else [key for key in _BETWEEN if annotation.get(key) not in local]
            annotation = {key: value for key, value in annotation.items() if key not in between}
        copier.put(made, annotation)
