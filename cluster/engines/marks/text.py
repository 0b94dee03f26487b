"""Words with values in them."""

import re
from collections.abc import Mapping


def filled(text: str, values: Mapping[str, str]) -> str:
    """`{name}` replaced by its value; unknown names stay as written."""
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1].lower(), found[0]), text)
