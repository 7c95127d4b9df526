"""Decodes CBOR responses: typed arrays of RFC 8746 become NumPy arrays."""

from __future__ import annotations

import math
from typing import Any

import cbor2
import numpy as np

_TYPES = {
    64: "u1", 69: "<u2", 70: "<u4", 71: "<u8",
    72: "i1", 77: "<i2", 78: "<i4", 79: "<i8",
    84: "<f2", 85: "<f4", 86: "<f8",
}  # fmt: skip

_MULTI_DIMENSIONAL = 40


def _array(first: Any, second: Any = None) -> Any:
    # cbor2 before version 6 passes the decoder first.
    tag = first if isinstance(first, cbor2.CBORTag) else second
    if tag.tag in _TYPES:
        return np.frombuffer(tag.value, _TYPES[tag.tag])
    if tag.tag != _MULTI_DIMENSIONAL:
        return tag
    shape, values = tag.value
    if isinstance(values, dict):  # a struct
        return {name: field for name, field in values.items()}
    if not isinstance(values, np.ndarray):  # text, byte strings, objects
        items = np.empty(math.prod(shape), dtype=object)
        for i, item in enumerate(values):
            items[i] = item
        values = items
    return values.reshape(shape)


def decode(body: bytes) -> Any:
    return _plain(cbor2.loads(body, tag_hook=_array))


def _plain(value: Any) -> Any:
    """cbor2 may return immutable mappings and tuples."""
    if isinstance(value, np.ndarray) or isinstance(value, (str, bytes)):
        return value
    if hasattr(value, "items"):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
