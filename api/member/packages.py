"""Packages: what a membership costs and how long it lasts, read from one TOML file."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from typing_extensions import TypedDict

from api.problems import Refusal
from api.settings import settings
from cluster.words import Language

_Text = Annotated[str, Field(min_length=1, max_length=60)]


class PackageView(TypedDict):
    """A package as the page shows it; prices in fen."""

    id: str
    name: str
    months: int
    price: int
    originalPrice: int
    perks: list[str]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Words(_Strict):
    """A package's words in one language."""

    name: _Text
    perks: Annotated[tuple[_Text, ...], Field(min_length=1, max_length=10)]


class Package(_Strict):
    """One package; prices in fen."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9_-]{1,40}$")]
    months: Annotated[int, Field(ge=1, le=120)]
    price: Annotated[int, Field(ge=1, le=10_000_000)]
    original_price: Annotated[int, Field(ge=1, le=10_000_000)]
    zh: Words
    en: Words

    @model_validator(mode="after")
    def _cheaper(self) -> Self:
        if self.original_price < self.price:
            raise ValueError("original_price is lower than price")
        return self

    def view(self, language: Language) -> PackageView:
        words = self.zh if language == "zh" else self.en
        return {
            "id": self.id,
            "name": words.name,
            "months": self.months,
            "price": self.price,
            "originalPrice": self.original_price,
            "perks": list(words.perks),
        }


class _File(_Strict):
    package: Annotated[tuple[Package, ...], Field(min_length=1, max_length=20)]

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        ids = [each.id for each in self.package]
        if twice := {each for each in ids if ids.count(each) > 1}:
            raise ValueError(f"the id {sorted(twice)[0]!r} is used twice")
        return self


def read(path: Path) -> tuple[Package, ...]:
    """The packages in `path`. Raises SystemExit with a sentence that names what is wrong."""
    try:
        return _File.model_validate(tomllib.loads(path.read_text("utf-8"))).package
    except OSError as error:
        raise SystemExit(f"The packages file {path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SystemExit(f"The packages file {path} is not TOML: {error}.") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(each + 1) if isinstance(each, int) else each for each in first["loc"])
        raise SystemExit(f"The packages file {path} is wrong at {where or 'package'}: {first['msg']}.") from None


@cache
def packages() -> tuple[Package, ...]:
    """This process's packages."""
    return read(settings().packages)


def package(key: str) -> Package:
    """The package on sale under this id. Raises Refusal."""
    for each in packages():
        if each.id == key:
            return each
    raise Refusal("package_unknown")


def name(key: str, language: Language) -> str:
    """What a package is called, also when it is no longer sold."""
    for each in packages():
        if each.id == key:
            return each.view(language)["name"]
    return "会员" if language == "zh" else "Membership"
