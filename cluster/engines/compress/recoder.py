"""All pictures of a PDF, re-encoded in parallel and put back where they got smaller."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from cluster.engines.compress.beside import beside
from cluster.engines.compress.recode import Aim, recode
from cluster.engines.pdf.drawn import Key, Placement
from cluster.engines.pdf.images import Picture, read_picture
from cluster.engines.pictures.encode import Encoded

if TYPE_CHECKING:
    import pikepdf

Progress = Callable[[int, int], None]
Job = tuple[Picture | None, Key, Aim]

#: Samples decoded at the same time; a picture larger than this is worked on alone.
_AT_ONCE = 40_000_000
#: Below this the dictionary outweighs what can be saved.
_SMALLEST = 200


def image_streams(pdf: "pikepdf.Pdf") -> dict[Key, Any]:
    """Every image XObject by object key."""
    import pikepdf

    return {
        each.objgen: each
        for each in pdf.objects
        if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Image"
    }


class Recoder:
    """Re-encodes the pictures of one document; a picture tried again with the same aim is not worked on again."""

    def __init__(self) -> None:
        import cv2

        cv2.setNumThreads(1)  # the pictures are worked on in parallel already
        self._known: dict[tuple[Key, Aim], Encoded | None] = {}
        self._usual: dict[tuple[int, int, int, Aim], int] = {}

    def shrink(
        self, pdf: "pikepdf.Pdf", placements: dict[Key, Placement], aims: Callable[[Key], Aim], progress: Progress
    ) -> set[Key]:
        """Replace each picture by its smallest encoding within its aim; returns which were replaced."""
        streams = image_streams(pdf)
        soft, changed = soft_masks(streams), set[Key]()
        for done, (picture, made) in enumerate(self._recoded(pdf, streams, placements, soft, aims), 1):
            if picture is not None and made is not None:
                put(picture, made)
                changed.add(picture.stream.objgen)
            progress(done, len(streams))
        return changed

    def weigh(self, pdf: "pikepdf.Pdf", placements: dict[Key, Placement], aim: Aim) -> int:
        """Bytes that all pictures would have within the aim; nothing is changed."""
        streams = image_streams(pdf)
        total = sum(len(each.read_raw_bytes()) for each in streams.values())
        for picture, made in self._recoded(pdf, streams, placements, soft_masks(streams), lambda _: aim):
            if picture is not None and made is not None:
                total -= picture.size - len(made)
        return total

    def _recoded(
        self,
        pdf: "pikepdf.Pdf",
        streams: dict[Key, Any],
        placements: dict[Key, Placement],
        soft: set[Key],
        aims: Callable[[Key], Aim],
    ) -> Iterator[tuple[Picture | None, Encoded | None]]:
        """Read one by one, decoded and encoded beside each other, as many as memory allows."""
        jobs = (
            (worthwhile(pdf, stream, placements.get(key), key in soft), key, aims(key))
            for key, stream in streams.items()
        )
        for (picture, _, _), made in beside(self._recode, jobs, _pixels, _AT_ONCE):
            yield picture, made

    def _recode(self, job: Job) -> Encoded | None:
        picture, key, aim = job
        if picture is not None and (key, aim) not in self._known:
            make = picture.width, picture.height, picture.channels, aim  # alike: likely pages of one scan
            made = self._known[key, aim] = recode(picture, aim, self._usual.get(make, 0))
            if made is not None and made.quality:
                self._usual[make] = made.quality
        return self._known.get((key, aim))


def _pixels(job: Job) -> int:
    return job[0].pixels if job[0] else 0


def soft_masks(streams: dict[Key, Any]) -> set[Key]:
    """Pictures whose samples are opacities: /SMask, and what readers take for one in /Mask."""
    import pikepdf

    masks = (each.get(key) for each in streams.values() for key in ("/SMask", "/Mask"))
    return {mask.objgen for mask in masks if isinstance(mask, pikepdf.Stream)}


def worthwhile(pdf: "pikepdf.Pdf", stream: Any, placement: Placement | None, soft: bool) -> Picture | None:
    if int(stream.get("/Length", _SMALLEST)) < _SMALLEST:
        return None
    return read_picture(pdf, stream, placement, soft=soft)


def put(picture: Picture, made: Encoded) -> None:
    """Give the picture its new body and, all together, the entries that say what it is."""
    import pikepdf

    stream = picture.stream
    entries = described(picture, made)
    parms = pikepdf.Dictionary(made.parms) if made.parms else None
    stream.write(made.data, filter=pikepdf.Name(made.filter), decode_parms=parms)
    for key, value in entries.items():
        if value is not None:
            stream[key] = value
        elif key in stream:
            del stream[key]


def described(picture: Picture, made: Encoded) -> dict[str, Any]:
    """Every entry that tells readers what the samples of `made` are; None for those that have to go.

    Where the colour space changes, Decode goes: it was written for other samples.
    """
    old = picture.stream.get("/ColorSpace")
    space = _space(picture, made, old)
    entries = {"/Width": made.width, "/Height": made.height, "/SMaskInData": None}
    if not picture.stream.get("/ImageMask", False):
        entries |= {"/BitsPerComponent": made.bits, "/ColorSpace": space}
    if made.channels and (made.palette or picture.palette is not None or made.channels != picture.channels):
        entries["/Decode"] = None
    return entries


def _space(picture: Picture, made: Encoded, old: Any) -> Any:
    """The colour space of the new samples."""
    import pikepdf

    if not made.channels:
        return old
    base = old[1] if picture.palette is not None else old
    if base is None or made.channels != picture.channels:
        base = pikepdf.Name.DeviceGray if made.channels == 1 else pikepdf.Name.DeviceRGB
    if made.palette is None:
        return base
    last = len(made.palette) // made.channels - 1
    return pikepdf.Array([pikepdf.Name.Indexed, base, last, pikepdf.String(made.palette)])
