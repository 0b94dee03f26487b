"""What can be chosen in a tool's form, one choice at a time, as its schema tells."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic import TypeAdapter

from cluster.tool import Tool

Schema = Mapping[str, Any]
#: The storage key that file options name.
EXTRA = "u/picture.png"
#: What is typed into a field, by its widget.
_TYPED: Mapping[str, tuple[Any, ...]] = {
    "pages": ("last", "odd", "1-2"),
    "colour": ("#c02020",),
    "text": ("龘 ①€ {date}",),
    "textarea": ("第一行 龘\n①€ second",),
    "password": ("纸鹤 Kite 7",),
    "date": ("2026-01-31",),
}


def variations(tool: Tool[Any]) -> Iterator[tuple[str, Any]]:
    """Each with its name: the example with one field changed, and each way of a union with one of its own."""
    schema = TypeAdapter(tool.options).json_schema()
    yield from _Form(schema).tried(schema, dict(tool.example))


class _Form:
    def __init__(self, schema: Schema) -> None:
        self.defs = schema.get("$defs", {})

    def tried(self, schema: Schema, value: Any) -> Iterator[tuple[str, Any]]:
        """Other values of what `schema` describes, named by what differs."""
        schema = self._resolved(schema)
        if "oneOf" in schema:
            yield from self._ways(schema, value)
        elif "properties" in schema:
            yield from self._fields(schema, value or {})
        else:
            yield from (("=" + str(other).replace("\n", "\\n"), other) for other in _others(schema) if other != value)

    def _fields(self, schema: Schema, value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        for name, field in schema["properties"].items():
            now = value.get(name, self._default(field))
            shown = {other: wanted[0] for other, wanted in field.get("ui", {}).get("when", {}).items()}
            for label, other in self.tried(field, now):
                yield (name + label if label[0] == "=" else f"{name}.{label}"), {**value, **shown, name: other}

    def _ways(self, schema: Schema, value: Any) -> Iterator[tuple[str, Any]]:
        tag, ways = schema["discriminator"]["propertyName"], schema["discriminator"]["mapping"]
        taken = (value or {}).get(tag)
        for name, way in ways.items():
            branch = self._resolved({"$ref": way})
            begun = value if name == taken else {tag: name, **self._required(branch, tag)}
            if name != taken:
                yield f"={name}", begun
            for label, other in self._fields(branch, begun):
                yield f"{name}.{label}", other

    def _required(self, schema: Schema, tag: str) -> dict[str, Any]:
        wanted = (name for name in schema.get("required", ()) if name != tag)
        return {name: next(iter(_others(self._resolved(schema["properties"][name]))), "") for name in wanted}

    def _default(self, field: Schema) -> Any:
        return field.get("default", self._resolved(field).get("default"))

    def _resolved(self, schema: Schema) -> Schema:
        if "$ref" not in schema:
            return schema
        return {**self.defs[schema["$ref"].rsplit("/", 1)[1]], **{k: v for k, v in schema.items() if k != "$ref"}}


def _others(schema: Schema) -> Iterator[Any]:
    """Values that the form lets one choose."""
    kinds: Mapping[str, Callable[[Schema], Iterator[Any]]] = {
        "boolean": lambda _: iter((True, False)),
        "integer": _bounds,
        "number": _bounds,
        "string": _typed,
        "array": _ticked,
    }
    if "enum" in schema:
        yield from schema["enum"]
    elif "const" not in schema and schema.get("type") in kinds:
        yield from kinds[schema["type"]](schema)


def _bounds(schema: Schema) -> Iterator[float]:
    yield from (schema[name] for name in ("minimum", "maximum") if name in schema)


def _ticked(schema: Schema) -> Iterator[list[Any]]:
    """None of the boxes, and one of them."""
    if schema.get("ui", {}).get("widget") == "checks":
        yield from ([], schema["items"]["enum"][:1])


def _typed(schema: Schema) -> Iterator[str]:
    if schema.get("upload"):
        yield EXTRA
    else:
        yield from _TYPED.get(schema.get("ui", {}).get("widget", ""), ())
