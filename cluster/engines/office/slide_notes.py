"""Notes of a pptx made ready for LibreOffice, which does not look up their style: they would be half as large again.

    path = styled(path, work.scratch("notes"))

Only the copy that LibreOffice opens is changed.
"""

import re
import zipfile
from copy import deepcopy
from pathlib import Path
from typing import Any

from cluster.engines.office.package import parsed, restated, written

_MASTER = re.compile(r"ppt/notesMasters/[^/]+\.xml")
_NOTES = re.compile(r"ppt/notesSlides/[^/]+\.xml")


def styled(path: Path, folder: Path) -> Path:
    """The pptx for LibreOffice: a copy in `folder`, or the one at `path` where nothing has to be said otherwise."""
    return restated(path, folder, _changed)


def _changed(archive: zipfile.ZipFile) -> dict[str, bytes]:
    names = archive.namelist()
    masters = [parsed(archive.read(name)) for name in names if _MASTER.fullmatch(name)]
    style = next((each for master in masters for each in master.iter("{*}notesStyle")), None)
    if style is None:
        return {}
    trees = {name: parsed(archive.read(name)) for name in names if _NOTES.fullmatch(name)}
    return {name: written(tree) for name, tree in trees.items() if _style(tree, style)}


def _style(tree: Any, style: Any) -> bool:
    """Write the style into the texts that are notes and have none of their own; whether there was one."""
    found = False
    for shape in tree.iter("{*}sp"):
        listed = next(shape.iter("{*}lstStyle"), None)
        if listed is not None and len(listed) == 0 and any(_is_body(each) for each in shape.iter("{*}ph")):
            listed.extend(deepcopy(each) for each in style)
            found = True
    return found


def _is_body(place: Any) -> bool:
    return bool(place.get("type") == "body")
