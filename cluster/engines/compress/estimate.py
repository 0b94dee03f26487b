"""How small a PDF would get, told from a sample of its pages and pictures in about a second.

What is not a picture is made for real, over some pages; pictures are re-encoded in part. Nothing is proved: where a
page would fail its proof, the result gets larger than was told.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.compress.recode import Aim, recode
from cluster.engines.compress.recoder import image_streams, soft_masks, worthwhile
from cluster.engines.compress.sample import sampled
from cluster.engines.compress.slim import drop_press_profile, drop_private, pack_streams, share_streams
from cluster.engines.compress.squeeze import Plan, aims_of, subset, walked
from cluster.engines.pdf.compact import repack
from cluster.engines.pdf.drawn import Drawn, Key
from cluster.engines.pdf.images import Picture
from cluster.engines.pdf.open import opened, save_pdf
from cluster.engines.pdf.weight import weigh
from cluster.files import Desk, Source
from cluster.kinds import PDF

if TYPE_CHECKING:
    import pikepdf

#: Pages of a sample, and the bytes besides pictures up to which a document is its own.
_PAGES, _WHOLE = 24, 600_000
#: Pictures that stand for all, and the CPU seconds in which they must be tried.
_PICTURES, _SECONDS = 8, 1.2
#: CPU seconds up to which what is not a picture is made again for a plan that treats it otherwise.
_PATIENCE = 0.5


@dataclass(frozen=True)
class _Parts:
    """Bytes of a file, and how many objects it has besides streams."""

    images: int
    fonts: int
    streams: int
    objects: int
    rest: int


def estimate(desk: Desk, source: Source, plans: Mapping[str, Plan]) -> dict[str, float]:
    """Bytes of the result of each plan, by its name; nothing of a damaged file, whose result is its repair."""
    with opened(source, desk.scratch, desk.max_pages) as found:
        if found.damaged:
            return {}
        whole = _parts(found.pdf, source.size)
        sample = _sample(desk, found.pdf, whole)
    whole = sample.whole(whole)
    shares, rests = _picture_shares(sample, plans), _rests(desk, sample, plans, whole)
    return {name: min(float(source.size), round(rests[name] + shares[name] * whole.images)) for name in plans}


@dataclass(frozen=True)
class _Sample:
    """Some pages as a file of their own, every stream packed: `before` as they lay in the document, `parts` now.

    all: no page is missing.
    """

    source: Source
    before: _Parts
    parts: _Parts
    all: bool

    def whole(self, document: _Parts) -> _Parts:
        """The document's bytes, as far as they count: its pictures packed as these are."""
        if self.all:
            return self.parts
        return replace(document, images=document.images * self.parts.images // max(1, self.before.images))


def _sample(desk: Desk, pdf: "pikepdf.Pdf", whole: _Parts) -> _Sample:
    import pikepdf

    count, path = len(pdf.pages), desk.scratch("sample.pdf")
    small = count <= _PAGES or whole.streams + whole.fonts + whole.rest <= _WHOLE
    if not small:
        few = pikepdf.Pdf.new()
        wanted = {at * (count - 1) // (_PAGES - 1) for at in range(_PAGES)}
        few.pages.extend(page for number, page in enumerate(pdf.pages) if number in wanted)
        pdf = few
    before = _parts(pdf, 0)
    drop_private(pdf)
    share_streams(pdf)
    save_pdf(desk, pdf, path)
    return _Sample(Source(path, path.name, PDF, path.stat().st_size), before, _parts_at(path), small)


def _parts_at(path: Path) -> _Parts:
    import pikepdf

    with pikepdf.open(path) as pdf:
        return _parts(pdf, path.stat().st_size)


def _parts(pdf: "pikepdf.Pdf", size: int) -> _Parts:
    import pikepdf

    weight, streams, objects = weigh(pdf, size), 0, 0
    for each in pdf.objects:
        if not isinstance(each, pikepdf.Stream):
            objects += 1
        elif each.get("/Type") not in ("/ObjStm", "/XRef"):
            streams += _length(each)
    streams -= weight.images + weight.fonts
    return _Parts(weight.images, weight.fonts, streams, objects, max(0, weight.other - streams))


def _length(stream: Any) -> int:
    length = stream.get("/Length", 0)
    return int(length) if isinstance(length, int) else 0


def _rests(desk: Desk, sample: _Sample, plans: Mapping[str, Plan], whole: _Parts) -> dict[str, float]:
    """Bytes of what is not a picture, by plan; where one took long, it has to do for all."""
    kinds = {(plan.hints, plan.press): plan for plan in plans.values()}
    known: dict[tuple[bool, bool], float] = {}
    began = time.process_time()
    for kind, plan in reversed(kinds.items()):
        if not known or time.process_time() - began < _PATIENCE:
            known[kind] = _rest(desk, sample, plan, whole)
    first = next(iter(known.values()))
    return {name: known.get((plan.hints, plan.press), first) for name, plan in plans.items()}


def _rest(desk: Desk, sample: _Sample, plan: Plan, whole: _Parts) -> float:
    """Bytes of what is not a picture, made for real and for a sample enlarged to the whole."""
    import pikepdf

    path = desk.scratch("rest.pdf")
    with pikepdf.open(sample.source.path) as pdf:
        drawn = walked(pdf, sample.source)
        if not plan.press:
            drop_press_profile(pdf)
        for stream in image_streams(pdf).values():
            stream.write(b"\0")
        if not drawn.unread:
            subset(pdf, drawn, sample.source, plan)
        pack_streams(pdf, drawn.scales)
        save_pdf(desk, pdf, path)
    repack(path)
    return path.stat().st_size if sample.all else _enlarged(_parts_at(path), sample.before, whole)


def _enlarged(after: _Parts, before: _Parts, whole: _Parts) -> float:
    fonts = whole.fonts * after.fonts / max(1, before.fonts)
    streams = whole.streams * after.streams / max(1, before.streams)
    return fonts + streams + after.rest * whole.objects / max(1, before.objects)


def _picture_shares(sample: _Sample, plans: Mapping[str, Plan]) -> dict[str, float]:
    """What each plan leaves of the bytes of pictures."""
    import cv2
    import pikepdf

    cv2.setNumThreads(1)
    with pikepdf.open(sample.source.path) as pdf:
        streams = image_streams(pdf)
        if not streams:
            return dict.fromkeys(plans, 1.0)
        drawn = walked(pdf, sample.source)
        return _shares(_Pictures(pdf, streams, drawn), plans)


@dataclass(frozen=True)
class _Pictures:
    """The pictures of a document and what its pages do with them."""

    pdf: "pikepdf.Pdf"
    streams: Mapping[Key, Any]
    drawn: Drawn

    def strata(self) -> Iterator[tuple[Key, int]]:
        """Pictures, each with the bytes that it stands for: its own and those of its neighbours in size."""
        sizes = sorted(((_length(each), key) for key, each in self.streams.items()), reverse=True)
        enough, group, held = sum(size for size, _ in sizes) / _PICTURES, list[Key](), 0
        for size, key in sizes:
            group.append(key)
            held += size
            if held >= enough:
                yield group[len(group) // 2], held
                group, held = [], 0
        if held:
            yield group[len(group) // 2], held


def _shares(pictures: _Pictures, plans: Mapping[str, Plan]) -> dict[str, float]:
    began, soft, told = time.process_time(), soft_masks(dict(pictures.streams)), list[tuple[int, Sequence[float]]]()
    for key, stands_for in sorted(pictures.strata(), key=lambda each: -each[1]):
        if told and time.process_time() - began > _SECONDS:
            break
        placed = pictures.drawn.pictures.get(key)
        picture = worthwhile(pictures.pdf, pictures.streams[key], placed, key in soft)
        part = picture and sampled(picture)
        if picture is None:
            told.append((stands_for, [1.0] * len(plans)))
        elif part is not None:
            aims = [aims_of(plan, pictures.drawn)(key) for plan in plans.values()]
            told.append((stands_for, [_share(picture, part, aim) for aim in aims]))
    total = sum(weight for weight, _ in told)
    if not total:
        return dict.fromkeys(plans, 1.0)
    return {name: sum(weight * found[place] for weight, found in told) / total for place, name in enumerate(plans)}


def _share(picture: Picture, part: Picture, aim: Aim) -> float:
    """What is left of the picture, told from what is left of the part: all grows with it but what stands before."""
    made = recode(part, aim)
    if made is None:
        return 1.0
    before, after = _head(part.data), _head(made.data)
    scale = (picture.size - before) / max(1, part.size - before)
    return min(1.0, ((len(made) - after) * scale + after) / max(1, picture.size))


def _head(data: bytes) -> int:
    """Bytes of a JPEG before its first scan."""
    return max(0, data.find(b"\xff\xda")) if data.startswith(b"\xff\xd8") else 0
