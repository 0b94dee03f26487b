"""Reader: the interface that an OCR engine has."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from cluster.engines.layout.line import Line, Quad

if TYPE_CHECKING:
    from numpy.typing import NDArray


Language = Literal["auto", "zh", "en", "ja", "latin"]


class Reader(Protocol):
    """An OCR engine. Pictures are RGB arrays, height x width x 3."""

    def find(self, picture: "NDArray[Any]") -> list[Quad]:
        """Where lines of text are."""
        ...

    def recognise(self, picture: "NDArray[Any]", boxes: Sequence[Quad], language: Language) -> list[Line]:
        """The text in each box, in the order of `boxes`."""
        ...
