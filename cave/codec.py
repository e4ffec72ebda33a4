"""JSON to values and back: strict about types, with errors that name the field.

``msgspec`` does the work; this module makes it strict (no text or bool for a number, no unknown field) and
turns errors into one sentence that names the field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, TypeVar, cast

import msgspec

Json = Any
"""A value as ``json.loads`` returns it: dict, list, str, int, float, bool or None."""

_SUBJECTS = ("a", "all", "an", "sides", "that", "the", "there", "when")
"""First words of problems with their own subject; in the others the subject is the field."""


class BadData(Exception):
    """Data from outside that has the wrong form.

    ``field`` is the path of the wrong field (``players[1].goods.wood``), ``problem`` the reason.

    >>> raise BadData("wood", "must be a whole number").under("players[1].goods")
    Traceback (most recent call last):
    ...
    cave.codec.BadData: players[1].goods.wood: must be a whole number
    """

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}" if field else problem)
        self.field = field
        self.problem = problem

    @property
    def sentence(self) -> str:
        """The field and the problem as part of a sentence: ``"wood" must be a whole number``."""
        if not self.field:
            return self.problem
        has_subject = self.problem.split(" ", 1)[0] in _SUBJECTS
        return f'in "{self.field}" {self.problem}' if has_subject else f'"{self.field}" {self.problem}'

    def under(self, prefix: str) -> BadData:
        """Return the same error with the path of the enclosing value as a prefix."""
        joint = "" if not self.field or self.field.startswith("[") else "."
        return BadData(f"{prefix}{joint}{self.field}", self.problem)


class within:  # noqa: N801
    """Prefix errors in a field's value with the path of the field."""

    def __init__(self, field: str) -> None:
        self._field = field

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BadData):
            raise error.under(self._field) from None


def reject_field_if(wrong: object, field: str, problem: str) -> None:
    """Raise BadData for a field if ``wrong`` is true."""
    if wrong:
        raise BadData(field, problem)


T = TypeVar("T")

MAX_QUOTED = 64
"""Maximum number of characters of foreign text that a message quotes."""

MAX_LISTED = 20
"""The most words that a message lists."""

MAX_WHOLE = 2**53 - 1
"""Larger integers lose precision in some JSON parsers."""

Whole = Annotated[int, msgspec.Meta(ge=-MAX_WHOLE, le=MAX_WHOLE)]
"""A whole number."""

Count = Annotated[int, msgspec.Meta(ge=0, le=MAX_WHOLE)]
"""A whole number that is not negative."""

MAX_SIZE = 10_000
"""More things than any pile has; each takes memory."""

Size = Annotated[int, msgspec.Meta(ge=0, le=MAX_SIZE)]
"""A count from an untrusted source; the reader allocates memory for it."""

Points = Whole | Annotated[float, msgspec.Meta(ge=-MAX_WHOLE, le=MAX_WHOLE, multiple_of=0.5)]
"""Points, in halves."""

Place = tuple[Whole, Whole]
"""A place on the map, [x, y]."""


class JsonForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The form of a JSON object: its fields with their types, and defaults for missing ones."""


def default_in_json(default: T) -> T:
    """Return a default that is written to the JSON even if the class omits defaults."""
    return msgspec.field(default_factory=lambda: default)


def snake_case(name: str) -> str:
    """Return the ``type`` for a class name: ``wall_razed`` for ``WallRazed``."""
    return re.sub("(?<!^)(?=[A-Z])", "_", name).lower()


class _Tag:
    def __get__(self, value: object, kind: Any) -> str:
        # Cached as a class attribute, which is much faster to read.
        kind.type = str(kind.__struct_config__.tag)
        return str(kind.type)


class Typed:
    """Mixin for classes that write their ``type`` into their JSON."""

    __slots__ = ()
    type: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.type = cast("str", _Tag())


class Tagged(Typed, JsonForm, frozen=True, tag_field="type", tag=snake_case):
    """A value that is its own JSON, with a ``type`` field: an action, an event.

    >>> class WallRazed(Tagged, frozen=True):
    ...     seat: int
    >>> to_json(WallRazed(1))
    {'type': 'wall_razed', 'seat': 1}
    """


def parse(data: Json, kind: type[T]) -> T:
    """Return the value of type ``kind`` that ``data`` describes; raises BadData that names the field.

    Unknown fields are errors if ``kind`` is a JsonForm, and ignored otherwise.
    """
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise _bad_data(str(error), kind) from None
    except RecursionError:
        raise BadData("", "is nested too deeply") from None


def parse_typed(data: Json, kinds: Iterable[Any]) -> Any:
    """Return the action or event that ``data`` describes, by its ``type``; raises BadData."""
    name = data.get("type") if isinstance(data, dict) else None
    for kind in kinds:
        if kind.type == name:
            return parse(data, kind)
    raise BadData("type", "is not known")


def to_json(value: Any) -> dict[str, Json]:
    """Return a value as JSON, recursively; Tagged values get their ``type``."""
    form: dict[str, Json] = decode(encode(value))
    return form


def parse_document(data: Json, kind: type[T], **marks: Json) -> T:
    """Parse a file, which must have these ``marks``. Its ``format`` is checked first: errors in the contents
    of another kind of file would not help the user. Raises BadData.
    """
    wanted = marks["format"]
    if isinstance(data, dict) and data.get("format", wanted) != wanted:
        raise BadData("format", f"must be {wanted!r}")
    form = parse(data, kind)
    for name, value in marks.items():
        reject_field_if(getattr(form, name) != value, name, f"must be {value!r}")
    return form


def _bad_data(text: str, kind: Any) -> BadData:
    said, mark, path = text.rpartition(" - at `$")
    said, field = (said, path.rstrip("`").removeprefix(".")) if mark else (text, "")
    name = said.partition("`")[2].rpartition("`")[0]
    if said.startswith("Object missing"):
        return BadData(_printable_path(field, name), "is missing")
    if said.startswith("Object contains unknown"):
        return BadData(_printable_path(field, name), "is not a known field")
    return BadData(field, _explain_wrong_type(said, _type_at(kind, field)))


def _printable_path(field: str, name: str) -> str:
    """Return the path of a field, safe to print: one line, no escape sequences, not too long."""
    return ".".join(_quote_text(part) for part in (field, name) if part)


def _quote_text(text: str) -> str:
    if not text.isprintable():
        text = ascii(text[:MAX_QUOTED])[1:-1] + text[MAX_QUOTED:]
    return text if len(text) <= MAX_QUOTED else f"{text[: MAX_QUOTED - 1]}…"


def _explain_wrong_type(said: str, kind: Any) -> str:
    match kind:
        case msgspec.inspect.LiteralType(values) if len(values) > MAX_LISTED:
            return "is not known"
        case msgspec.inspect.LiteralType(values):
            return "must be one of " + ", ".join(map(str, values))
        case msgspec.inspect.TupleType([msgspec.inspect.IntType(), msgspec.inspect.IntType()]):
            return "must be a place, a list of two whole numbers"
        case msgspec.inspect.TupleType(parts):
            return f"must be a list of {len(parts)}"
    if said.startswith("Expected `int` >= 0"):
        return "must be 0 or more"
    if said.startswith(("Expected `int` >=", "Expected `int` <=")):
        return "is too large"
    if said.startswith(("Expected `int | float`", "Expected `float` that's a multiple")):
        return "must be a whole number or end in .5"
    wanted = re.match(r"Expected `(\w+)", said)
    return _WANTED.get(wanted[1], _STRANGE) if wanted else _STRANGE


_STRANGE = "does not have the right form"
_WANTED = {
    "int": "must be a whole number",
    "str": "must be text",
    "bool": "must be true or false",
    "array": "must be a list",
    "object": "must be an object",
}


def _type_at(kind: Any, path: str) -> Any:
    here = _without_null(msgspec.inspect.type_info(kind))
    for name, index in re.findall(r"([^.\[\]]+)|\[([^\]]*)\]", path):
        match here:
            case msgspec.inspect.StructType(fields=fields):
                # A Tagged value's type is not among its fields.
                here = next((field.type for field in fields if field.encode_name == name), None)
            case msgspec.inspect.TupleType(parts):
                here = parts[int(index)]
            case msgspec.inspect.DictType(value_type=value):
                here = value
            case msgspec.inspect.ListType(item_type=item) | msgspec.inspect.VarTupleType(item_type=item):
                here = item
        here = _without_null(here)
    return here


def _without_null(kind: Any) -> Any:
    if isinstance(kind, msgspec.inspect.UnionType):
        return next(one for one in kind.types if not isinstance(one, msgspec.inspect.NoneType))
    return kind


def encode(data: Json) -> bytes:
    """Return UTF-8 JSON without spaces."""
    return msgspec.json.encode(data)


def canonical_json(data: Json) -> bytes:
    """Return UTF-8 JSON with sorted keys: equal data gives equal bytes."""
    return msgspec.json.encode(data, order="sorted")


def decode(text: str | bytes) -> Json:
    """Return the data of one JSON text; raises BadData."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise BadData("", f"is not valid JSON ({error})") from None
    except RecursionError:
        raise BadData("", "is nested too deeply") from None
