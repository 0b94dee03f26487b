"""Annotations of a part: links that still lead somewhere, notes, widgets."""

from typing import Any

from cluster.engines.pages.copier import Copier
from cluster.engines.pages.part_fields import Fields
from cluster.engines.pages.targets import Targets
from cluster.engines.pdf.reader import Document
from cluster.engines.pdf.syntax import Ref, number

_BETWEEN = (b"/Popup", b"/IRT", b"/Parent")


class Annotations:
    """Takes the annotations of one part's pages; `here` are the part's positions."""

    def __init__(self, document: Document, copier: Copier, targets: Targets, fields: Fields, here: set[int]) -> None:
        self.document, self.copier, self.targets, self.fields, self.here = document, copier, targets, fields, here
        self.links = self.links_kept = self.others = 0

    def take(self, listed: Any, *, again: bool = False) -> list[int]:
        """Write the kept ones of a page's /Annots; their numbers. `again`: the page stands twice in the part."""
        kept = []
        for each in self.document.array(listed):
            annotation = self.document.get(each)
            if type(annotation) is dict and (changed := self._kept(annotation)) is not None:
                claimed = type(each) is Ref and not again
                kept.append((self.copier.claim(each) if claimed else self.copier.sink.reserve(), each, changed))
        local = {each for _, each, _ in kept if type(each) is Ref}
        for made, each, annotation in kept:
            self._put(made, each, annotation, local, again)
        return [made for made, _, _ in kept]

    def _kept(self, annotation: dict[bytes, Any]) -> dict[bytes, Any] | None:
        kind = self.document.get(annotation.get(b"/Subtype"))
        if kind == b"/Link":
            self.links += 1
            changed = self._link(annotation)
            self.links_kept += changed is not None
            return changed
        self.others += kind not in (b"/Widget", b"/Popup", None)
        return annotation

    def _link(self, link: dict[bytes, Any]) -> dict[bytes, Any] | None:
        """The link with its destination in this part; None when that is in another or nowhere."""
        action = self.document.dictionary(link.get(b"/A"))
        if b"/Dest" in link:
            place = self._here(link[b"/Dest"])
            return None if place is None else {**link, b"/Dest": place}
        if action.get(b"/S") != b"/GoTo":
            return link
        place = self._here(action.get(b"/D"))
        if place is None:
            return None
        kept = {key: value for key, value in action.items() if key != b"/SD"}
        return {**link, b"/A": {**kept, b"/D": place}}

    def _here(self, target: Any) -> Any:
        place = self.targets.explicit(target)
        if place is None or self.targets.index[place[0]] not in self.here:
            return None
        found = self.document.get(target)
        # A name stays a name: its destination comes along.
        return found if type(found) is bytes else place

    def _put(self, made: int, each: Any, annotation: dict[bytes, Any], local: set[Any], again: bool) -> None:
        if b"/StructParent" in annotation and not again:
            self.copier.keys.add(number(annotation[b"/StructParent"], -1))
        widget = annotation.get(b"/Subtype") == b"/Widget"
        if widget and type(each) is Ref and not again:
            annotation = self.fields.take(each, annotation)
        elif widget:
            annotation = {key: value for key, value in annotation.items() if key not in (b"/Parent", b"/T")}
        if not widget:
            lost = [key for key in _BETWEEN if key in annotation and annotation[key] not in local]
            annotation = {key: value for key, value in annotation.items() if key not in lost}
        self.copier.put(made, annotation)
