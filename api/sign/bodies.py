"""What callers send about pads and kept signatures."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from api.body import Given
from cluster.hands import Hand
from cluster.signing import Number

_Id = Annotated[str, Field(min_length=1, max_length=100)]
_Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]
_Role = Literal["signature", "initials"]
_Side = Annotated[float, Field(gt=0, le=20_000, allow_inf_nan=False)]
_Stroke = Annotated[list[Number], Field(min_length=3, max_length=20_000)]
_Strokes = Annotated[list[_Stroke], Field(min_length=1, max_length=500)]


class PadQuery(Given):
    pad_id: _Id


class Ink(BaseModel):
    """Strokes as cluster.engines.marks.ink states them, in a box of their own units."""

    model_config = ConfigDict(extra="forbid")
    strokes: _Strokes
    width: _Side
    height: _Side


class PadBody(PadQuery):
    """All that is drawn by now: nothing when the phone has just opened the pad; `done`: nothing more will come."""

    ink: Ink | None = None
    done: bool = False


class DrawnLook(Ink):
    kind: Literal["drawn"]
    role: _Role
    colour: _Colour


class TypedLook(BaseModel):
    model_config = ConfigDict(extra="forbid")
    kind: Literal["typed"]
    role: _Role
    text: Annotated[str, Field(min_length=1, max_length=60)]
    face: Hand
    colour: _Colour


class PictureLook(BaseModel):
    """`data`: a PNG in base64."""

    model_config = ConfigDict(extra="forbid")
    kind: Literal["picture"]
    role: _Role
    data: Annotated[str, Field(max_length=200_000, pattern=r"^iVBORw0KGgo[A-Za-z0-9+/]+={0,2}$")]


AnyLook = Annotated[DrawnLook | TypedLook | PictureLook, Field(discriminator="kind")]


class LookBody(Given):
    look: AnyLook


class SignatureQuery(Given):
    signature_id: _Id
