"""Random values of every NumPy type, and their bytes in the layout of `expected` (test/fixtures/README.md)."""
import base64
import json
import struct

import numpy as np

NAT = -(2**63)
TEXT = list("aZ09 é€ß漢字😀𝒳\ufeff\t\"\\")
WORDS = ["", "a", "temperature", "é€漢字", "😀", "line\nbreak", "\ufeffbom", "nul\0inside", " tail ", "x" * 70]


def extremes(dtype):
    """Values of a type that are often handled incorrectly."""
    dtype = np.dtype(dtype).newbyteorder("=")
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return [info.min, info.max, 0, 1]
    if dtype.kind == "f":
        info = np.finfo(dtype)
        return [np.nan, -np.inf, np.inf, -0.0, 0.0, info.smallest_subnormal, info.max, info.min]
    if dtype.kind == "c":
        return [complex(np.nan, 1), complex(-np.inf, -0.0), complex(0.0, np.inf), 0]
    if dtype.kind in "mM":
        return [NAT, 0, -1, NAT + 1, 2**63 - 1]
    return []


def random_values(dtype, shape, rng):
    dtype = np.dtype(dtype)
    count = int(np.prod(shape, dtype=int))
    if dtype.names:
        out = np.zeros(count, dtype)
        for name in dtype.names:
            field = dtype.fields[name][0]
            base, inner = field.subdtype or (field, ())
            out[name] = random_values(base, (count, *inner), rng)
        return out.reshape(shape)
    kind = dtype.kind
    if kind == "b":
        values = rng.integers(0, 2, count).astype(bool)
    elif kind in "iu":
        values = np.frombuffer(rng.bytes(count * dtype.itemsize), dtype.newbyteorder("<")).copy()
        if rng.random() < 0.4:
            values = (np.cumsum(rng.integers(0, 3, count)) % 100).astype(values.dtype)
    elif kind == "f":
        values = (rng.standard_normal(count) * 100).astype(dtype)
    elif kind == "c":
        values = (rng.standard_normal(count) + 1j * rng.standard_normal(count)).astype(dtype)
    elif kind in "mM":
        values = rng.integers(-(10**6), 10**9, count)
    elif kind == "S":
        values = np.array([rng.bytes(int(rng.integers(0, dtype.itemsize + 1))) for _ in range(count)], dtype)
    elif kind == "U":
        longest = dtype.itemsize // 4
        values = np.array(["".join(rng.choice(TEXT, int(rng.integers(0, longest + 1)))) for _ in range(count)], dtype)
    elif kind == "V":
        values = np.frombuffer(rng.bytes(count * dtype.itemsize), dtype).copy()
    else:
        raise ValueError(dtype)
    if count and kind not in "mM":
        for value in extremes(dtype):
            values[int(rng.integers(0, count))] = value
    if kind in "mM":
        for value in extremes(dtype)[: count // 2]:
            values[int(rng.integers(0, count))] = value
        return values.astype("<i8").view(dtype.newbyteorder("<")).astype(dtype).reshape(shape)
    return np.asarray(values).astype(dtype).reshape(shape)


def object_array(items, shape):
    array = np.empty(len(items), object)
    for i, item in enumerate(items):
        array[i] = item
    return array.reshape(shape)


def random_objects(pool, shape, rng):
    count = int(np.prod(shape, dtype=int))
    return object_array([pool[int(i)] for i in rng.integers(0, len(pool), count)], shape)


def layout_of(dtype):
    dtype = np.dtype(dtype)
    kind, size = dtype.kind, dtype.itemsize
    if kind in "biufc":
        return {"kind": {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex"}[kind] + ("" if kind == "b" else str(8 * size))}
    if kind in "mM":
        unit, scale = np.datetime_data(dtype)
        return {"kind": "datetime64" if kind == "M" else "timedelta64", "unit": unit, "scale": scale}
    if kind == "S":
        return {"kind": "fixed_bytes", "bytes": size}
    if kind == "U":
        return {"kind": "fixed_utf32", "chars": size // 4}
    if dtype.names is None:
        return {"kind": "raw", "bytes": size}
    fields, offset = [], 0
    for name in dtype.names:
        base, inner = dtype.fields[name][0].subdtype or (dtype.fields[name][0], ())
        fields.append({"name": name, "offset": offset, "shape": list(inner), "layout": layout_of(base)})
        offset += base.itemsize * int(np.prod(inner, dtype=int))
    return {"kind": "struct", "bytes": offset, "fields": fields}


def little(dtype):
    """The type as little-endian and packed."""
    dtype = np.dtype(dtype)
    if not dtype.names:
        return dtype.newbyteorder("<")
    fields = []
    for name in dtype.names:
        base, inner = dtype.fields[name][0].subdtype or (dtype.fields[name][0], ())
        fields.append((name, little(base), inner) if inner else (name, little(base)))
    return np.dtype(fields)


def lay_out(array, layout):
    """Returns the bytes of the values in C order."""
    kind = layout["kind"]
    array = np.asarray(array)
    if kind in ("var_utf8", "var_bytes", "json", "ragged"):
        return b"".join(lay_out_item(item, layout) for item in array.reshape(-1))
    return np.ascontiguousarray(array).astype(little(array.dtype)).tobytes("C")


def lay_out_item(item, layout):
    kind = layout["kind"]
    if kind == "ragged":
        values = np.asarray(item)
        return struct.pack("<I", values.size) + values.astype(little(values.dtype)).tobytes()
    if item is None and kind != "json":
        return struct.pack("<I", 0xFFFFFFFF)
    if kind == "var_utf8":
        data = str(item).encode()
    elif kind == "var_bytes":
        data = bytes(item)
    else:
        data = json.dumps(item, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    return struct.pack("<I", len(data)) + data


def to_base64(data):
    return base64.b64encode(data).decode()


def same(a, b):
    """Whether values are equal as numbers: all NaNs are equal, and -0 equals 0, because writers omit chunks that equal the fill value."""
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype.names:
        return all(same(a[name], b[name]) for name in a.dtype.names)
    if a.dtype == object or b.dtype == object or a.dtype.kind == "T":
        return a.shape == b.shape and all(
            same(x, y) if isinstance(x, np.ndarray) else (x is None) == (y is None) and x == y for x, y in zip(a.reshape(-1), b.reshape(-1))
        )
    return a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind in "fcmM")
