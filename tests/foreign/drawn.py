"""Pages that became pictures of themselves, and pictures of pages: whether any renderer would have drawn them so."""

from collections.abc import Iterator

import numpy
from PIL import Image

from tests.foreign import pixels
from tests.foreign.case import Case, drawn_pages
from tests.foreign.programs import LIBERATION, RENDERERS, Picture

#: Drawn finer, as a small page is, a stroke of a mark fills a patch.
MARKED_DPI = 72


def pictures(case: Case) -> Iterator[str]:
    """A page's picture is what at least one renderer draws, beyond what fonts and edges may differ."""
    (source,) = case.sources or ()
    for index, result, _ in case.results:
        drawn = [each for renderer in RENDERERS if (each := source.drawn(renderer, index + 1)) is not None]
        if len(drawn) < 2:
            continue
        try:
            with Image.open(result.path) as image:
                picture = numpy.asarray(image.convert("RGB"))
        except Exception:  # `opens` tells it
            continue
        if what := _unlike_all(picture, drawn):
            yield f"{result.name} looks otherwise than page {index + 1}: {what}"


def scanned(case: Case) -> Iterator[str]:
    """A page that became a picture of itself is what at least one renderer drew of it: readers draw notes their way,

    and letters of fonts that are not carried; the preview has Liberation Sans for Helvetica and Arial.
    """
    sources = case.sources or []
    for result, seen, origins in case.matched:
        for page in drawn_pages(len(origins)):
            index, number = origins[page - 1] or (0, 0)
            source = sources[index]
            dpi = min(source.dpi(number), MARKED_DPI)
            drawn = [each for renderer in RENDERERS if (each := source.drawn(renderer, number, dpi)) is not None]
            picture = next((each for r in RENDERERS if (each := seen.drawn(r, page, dpi)) is not None), None)
            if picture is None:
                yield f"page {page} of {result.name} is drawn by nobody"
            elif len(drawn) > 1 and (what := _unlike_all(picture, drawn)):
                lent = source.drawn(LIBERATION, number, dpi)
                if lent is None or _unlike_all(picture, [lent]):
                    yield f"page {page} of {result.name} looks otherwise: {what}"


def _unlike_all(picture: Picture, drawn: list[Picture]) -> str:
    """How it differs from the first, where it differs from each."""
    said = [pixels.within(*pixels.paired(each, picture), 100) for each in drawn]
    return said[0] if all(said) else ""
