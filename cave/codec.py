"""JSON to values and back: strict about types, exact about where a problem lies.

``cattrs`` does the work; this module makes it strict (no text for a number, no truth value for a
number, no unknown field) and turns its errors into one sentence that names the field.
"""

from __future__ import annotations

from typing import Any, Literal, NewType, TypeVar, get_args, get_origin

import attrs
import msgspec
from cattrs import Converter, transform_error
from cattrs.cols import list_structure_factory
from cattrs.errors import ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn

from cave.game import BadData, Json

T = TypeVar("T")

Count = NewType("Count", int)
"""A whole number that is not negative."""

MAX_WHOLE = 2**53 - 1
"""Larger numbers are not the same in every program that reads JSON."""


class Malformed(ValueError):
    """A value of a wrong type or out of range; the converter adds where."""


def _whole(value: object, _type: Any) -> int:
    if type(value) is not int:
        raise Malformed("must be a whole number")
    if abs(value) > MAX_WHOLE:
        raise Malformed("is too large a number")
    return value


def _count(value: object, _type: Any) -> int:
    number = _whole(value, _type)
    if number < 0:
        raise Malformed("must be 0 or more")
    return number


def _text(value: object, _type: Any) -> str:
    if type(value) is not str:
        raise Malformed("must be text")
    return value


def _truth(value: object, _type: Any) -> bool:
    if type(value) is not bool:
        raise Malformed("must be true or false")
    return value


def _place(value: object, _type: Any) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise Malformed("must be a place [x, y]")
    return _whole(value[0], int), _whole(value[1], int)


def _one_of(value: object, kind: Any) -> Any:
    allowed = get_args(kind)
    if type(value) is not str or value not in allowed:
        raise Malformed("must be one of " + ", ".join(allowed))
    return value


def make_converter(*, omit_defaults: bool = True) -> Converter:
    """A strict converter; with ``omit_defaults`` fields that hold their default are not written."""
    converter = Converter(forbid_extra_keys=True, prefer_attrib_converters=False)
    converter.register_structure_hook(int, _whole)
    converter.register_structure_hook(str, _text)
    converter.register_structure_hook(bool, _truth)
    converter.register_structure_hook_func(lambda kind: kind == Count, _count)
    converter.register_structure_hook_func(lambda kind: kind == tuple[int, int], _place)
    converter.register_structure_hook_func(_is_literal, _one_of)
    converter.register_structure_hook_factory(
        _is_list,
        lambda kind: _only(list, "a list", list_structure_factory(kind, converter)),
    )
    converter.register_structure_hook_factory(
        attrs.has, lambda kind: _only(dict, "an object", make_dict_structure_fn(kind, converter))
    )
    converter.register_unstructure_hook_factory(
        attrs.has,
        lambda kind: make_dict_unstructure_fn(kind, converter, _cattrs_omit_if_default=omit_defaults),
    )
    return converter


def _is_list(kind: Any) -> bool:
    return get_origin(kind) is list


def _is_literal(kind: Any) -> bool:
    return get_origin(kind) is Literal


def _only(form: type, name: str, structure: Any) -> Any:
    def hook(value: object, kind: Any) -> Any:
        if not isinstance(value, form):
            raise Malformed(f"must be {name}")
        return structure(value, kind)

    return hook


def structure(converter: Converter, data: Json, kind: type[T]) -> T:
    """The value of type ``kind`` that ``data`` describes; raises BadData that names the field."""
    try:
        return converter.structure(data, kind)
    except Exception as error:
        raise _bad_data(error) from None


_UNKNOWN = "is not a known field"


def _bad_data(error: BaseException) -> BadData:
    first = transform_error(error, path="", format_exception=_problem)[0]
    problem, _, path = first.rpartition(" @ ")
    name, mark, _ = problem.partition(f" {_UNKNOWN}")
    if mark:
        path, problem = f"{path}.{name}", _UNKNOWN
    return BadData(path.removeprefix("."), problem)


def _problem(error: BaseException, _kind: type | None) -> str:
    if isinstance(error, Malformed):
        return str(error)
    if isinstance(error, KeyError):
        return "is missing"
    if isinstance(error, ForbiddenExtraKeysError):
        name = min(error.extra_fields)
        # A file's own words go to a terminal: no line ends, no escape sequences.
        return f"{name if name.isprintable() else ascii(name)[1:-1]} {_UNKNOWN}"
    return "has not the right form"


def encode(data: Json) -> bytes:
    """UTF-8 JSON without spaces."""
    return msgspec.json.encode(data)


def canonical(data: Json) -> bytes:
    """UTF-8 JSON with sorted keys: equal data gives equal bytes."""
    return msgspec.json.encode(data, order="sorted")


def decode(text: str | bytes) -> Json:
    """The data of one JSON text; raises BadData."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise BadData("", f"is not JSON: {error}") from None
    except RecursionError:
        raise BadData("", "is nested too deep") from None
