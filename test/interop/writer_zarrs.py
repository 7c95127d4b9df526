"""Writes arrays with zarrs in format 3: shards of every kind, transposes around them, packed bits, values of variable length."""
import os

import numpy as np
import zarrista
from zarrista import ArrayBytes
from zarrista.store import FilesystemStore

from shapes import choose, random_chunks, random_shape
from values import WORDS, lay_out, layout_of, object_array, random_objects, random_values

NUMBERS = {
    "bool": "?", "int8": "i1", "int16": "<i2", "int32": "<i4", "int64": "<i8", "uint8": "u1", "uint16": "<u2", "uint32": "<u4", "uint64": "<u8",
    "float16": "<f2", "float32": "<f4", "float64": "<f8", "complex64": "<c8", "complex128": "<c16", "complex_float32": "<c8", "r16": "V2", "r24": "V3",
}
CNAMES = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]


def random_type(rng):
    """A random data type: its name in metadata, NumPy's type (None for variable length), and a fill value."""
    kind = rng.random()
    if kind < 0.15:
        return choose(rng, [("string", None, ""), ("bytes", None, []), ("variable_length_bytes", None, "")])
    if kind < 0.25:
        name = choose(rng, ["numpy.datetime64", "numpy.timedelta64"])
        unit, scale = choose(rng, ["s", "ms", "ns", "D", "Y", "us", "\u03bcs"]), choose(rng, [1, 10])
        numpy_unit = f"{scale}{'us' if unit == chr(0x3bc) + 's' else unit}"
        return {"name": name, "configuration": {"unit": unit, "scale_factor": scale}}, np.dtype(f"<{name[6] if name[6] == 'm' else 'M'}8[{numpy_unit}]"), "NaT"
    name = choose(rng, list(NUMBERS))
    dtype = np.dtype(NUMBERS[name])
    if name.startswith("r"):
        return name, dtype, [int(x) for x in rng.integers(0, 256, dtype.itemsize)]
    fill = {"b": True, "f": choose(rng, [0, -0.0, "NaN", "Infinity", 1.5]), "c": [choose(rng, [1.5, "NaN", "-Infinity"]), 0]}.get(dtype.kind)
    return name, dtype, int(np.iinfo(dtype).max) if fill is None else fill


def transposes(rng, rank):
    if rank < 2 or rng.random() < 0.6:
        return []
    return [{"name": "transpose", "configuration": {"order": [int(i) for i in rng.permutation(rank)]}}]


def array_to_bytes(rng, name, dtype):
    if dtype is None:
        return {"name": "vlen-utf8" if name == "string" else "vlen-bytes"}
    if name == "bool" and rng.random() < 0.5:
        return {"name": "packbits", "configuration": {"padding_encoding": choose(rng, ["none", "first_byte", "last_byte"])}}
    if dtype.itemsize == 1 or dtype.kind == "V":
        return choose(rng, [{"name": "bytes"}, "bytes"])
    return {"name": "bytes", "configuration": {"endian": choose(rng, ["little", "big"])}}


def compressors(rng, size):
    one = choose(rng, [
        [],
        [{"name": "gzip", "configuration": {"level": int(rng.integers(0, 10))}}],
        [{"name": "zstd", "configuration": {"level": int(rng.integers(-5, 20)), "checksum": bool(rng.integers(2))}}],
        [{"name": "blosc", "configuration": {"cname": choose(rng, CNAMES), "clevel": int(rng.integers(0, 10)), "typesize": size, "blocksize": 0,
                                             "shuffle": choose(rng, ["noshuffle", "shuffle", "bitshuffle"])}}],
    ])
    return one + (["crc32c"] if rng.random() < 0.3 else [])


def sharded(rng, rank, codecs):
    """Chooses one or two levels of shards. Returns the shape of the outermost shard, in the array's dimensions, and the codecs."""
    shape = [int(rng.integers(1, 4)) for _ in range(rank)]
    for _ in range(choose(rng, [1, 1, 2])):
        index = [{"name": "bytes", "configuration": {"endian": choose(rng, ["little", "big"])}}] + (["crc32c"] if rng.random() < 0.5 else [])
        shard = {"name": "sharding_indexed", "configuration": {
            "chunk_shape": shape, "codecs": codecs, "index_codecs": index, "index_location": choose(rng, ["start", "end"])}}
        before = transposes(rng, rank)
        order = before[0]["configuration"]["order"] if before else range(rank)
        outer = [length * int(rng.integers(1, 4)) for length in shape]
        shape = [outer[list(order).index(d)] for d in range(rank)]
        codecs = [*before, shard]
    return shape, codecs


def write(path, rng):
    shape = tuple(max(1, length) for length in random_shape(rng))
    rank = len(shape)
    name, dtype, fill = random_type(rng)
    chunks = list(random_chunks(rng, shape))
    codecs = [*transposes(rng, rank), array_to_bytes(rng, name, dtype), *compressors(rng, 1 if dtype is None else dtype.itemsize)]
    if rank > 0 and rng.random() < 0.5:
        chunks, codecs = sharded(rng, rank, codecs)
    os.makedirs(path)
    array = zarrista.Array.from_metadata({
        "zarr_format": 3, "node_type": "array", "shape": list(shape), "data_type": name, "fill_value": fill, "codecs": codecs, "attributes": {},
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunks}},
        "chunk_key_encoding": choose(rng, ["default", "v2", {"name": "default", "configuration": {"separator": "."}}, {"name": "v2", "configuration": {"separator": "/"}}]),
    }, FilesystemStore(path))
    array.store_metadata()
    whole = tuple(slice(0, length) for length in shape)
    case = {"format": 3, "codecs": str(codecs), "chunks": chunks}
    if dtype is None:
        values = random_objects(WORDS if name == "string" else [b"", b"\xff\x00", b"abc" * 30], shape, rng)
        items = [item.encode() if isinstance(item, str) else item for item in values.reshape(-1)]
        array.store_array_subset(whole, ArrayBytes(b"".join(items), offsets=[int(x) for x in np.cumsum([0, *map(len, items)])]))
        return case | {"layout": {"kind": "var_utf8" if name == "string" else "var_bytes"}}, values, values
    values = random_values(dtype, shape, rng)
    if rng.random() < 0.4:
        # Chunks that contain only the fill value are not stored.
        part = tuple(slice(0, int(rng.integers(1, length + 1))) for length in shape)
        filled = np.frombuffer(array.fill_value.as_bytes() * values.size, dtype).reshape(shape).copy()
        filled[part] = values[part]
        values, whole = filled, part
    array.store_array_subset(whole, ArrayBytes(np.ascontiguousarray(values[whole]).tobytes()))
    return case | {"layout": layout_of(dtype)}, values, values
