"""Writes arrays with zarr-python 2.18 in format 2, including features that later versions removed (objects, sub-array fields)."""
import numcodecs
import numpy as np
import zarr

from shapes import choose, random_chunks, random_shape, write_some
from values import NAT, WORDS, layout_of, object_array, random_objects, random_values

NUMBERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
CNAMES = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]


def compressor(rng):
    return choose(rng, [
        lambda: None,
        lambda: numcodecs.Zlib(int(rng.integers(0, 10))),
        lambda: numcodecs.GZip(1),
        lambda: numcodecs.BZ2(1),
        lambda: numcodecs.LZMA(preset=1),
        lambda: numcodecs.LZ4(),
        lambda: numcodecs.Zstd(int(rng.integers(0, 10))),
        lambda: numcodecs.Blosc(cname=choose(rng, CNAMES), clevel=int(rng.integers(0, 10)), shuffle=int(rng.integers(-1, 3))),
    ])()


def fixed(rng, shape):
    order = choose(rng, ["<", ">"])
    kind = rng.random()
    if kind < 0.5:
        dtype = np.dtype(choose(rng, ["?"] + [order + name for name in NUMBERS]))
    elif kind < 0.65:
        dtype = np.dtype(order + choose(rng, ["M8", "m8"]) + f"[{choose(rng, ['D', 's', 'ms', 'ns', '10us'])}]")
    elif kind < 0.8:
        dtype = np.dtype(choose(rng, ["S4", "V3", order + "U3"]))
    else:
        pool = [("a", order + "i4"), ("b", "S2"), ("c", order + "f4", (2, 3)), ("d", [("x", order + "i2"), ("y", "?")]), ("e", order + "M8[s]"), ("f", order + "U2")]
        dtype = np.dtype([pool[i] for i in sorted(rng.permutation(len(pool))[: int(rng.integers(1, 5))])])
    fill = np.zeros((), dtype)[()]
    if dtype.kind in "iuf" and rng.random() < 0.5:
        fill = np.array(choose(rng, [np.nan, np.inf, -0.0] if dtype.kind == "f" else [1, 100]), dtype)[()]
    if dtype.kind in "mM":
        fill = np.array(NAT, "<i8").view(dtype.newbyteorder("<")).astype(dtype)[()]
    filters = []
    if dtype.kind in "iu" and rng.random() < 0.3:
        filters.append(numcodecs.Delta(dtype=dtype.str))
    if dtype.kind == "b" and rng.random() < 0.5:
        filters.append(numcodecs.PackBits())
    if dtype.kind != "b" and rng.random() < 0.3:
        filters.append(numcodecs.Shuffle(elementsize=dtype.itemsize))
    if rng.random() < 0.2:
        filters.append(choose(rng, [numcodecs.CRC32, numcodecs.Adler32, numcodecs.Fletcher32])())
    return random_values(dtype, shape, rng), np.full(shape, fill, dtype), layout_of(dtype), {"dtype": dtype, "fill_value": fill, "filters": filters or None}


def objects(rng, shape):
    """Random objects, their layout and the options of their array. All of them are written, because the meaning of a missing chunk of objects is unspecified."""
    count = int(np.prod(shape, dtype=int))
    kind = choose(rng, ["text", "bytes", "json", "msgpack", "ragged", "categories"])
    if kind == "ragged":
        item = np.dtype(choose(rng, ["<i4", "<f8", "u1"]))
        arrays = [random_values(item, (int(rng.integers(0, 5)),), rng) for _ in range(count)]
        return object_array(arrays, shape), {"kind": "ragged", "item": layout_of(item)}, {"object_codec": numcodecs.VLenArray(item)}
    pool, layout, codec = {
        "text": (WORDS, "var_utf8", numcodecs.VLenUTF8()),
        "bytes": ([b"", b"\xff\x00", b"abc" * 30], "var_bytes", numcodecs.VLenBytes()),
        "json": ([None, 1, -2.5, True, "é漢", [1, [2]], {"b": 1, "a": None}], "json", numcodecs.JSON()),
        "msgpack": ([None, 1, -70000, 2.5, True, "é漢", [1, [2]], {"b": 1, "a": None}, 2**40], "json", numcodecs.MsgPack()),
        "categories": (["red", "grün", ""], "var_utf8", numcodecs.Categorize(["red", "grün"], dtype=object)),
    }[kind]
    return random_objects(pool, shape, rng), {"kind": layout}, {"object_codec": codec}


def write(path, rng):
    shape = random_shape(rng)
    chunks = random_chunks(rng, shape)
    common = {"store": path, "shape": shape, "chunks": chunks, "order": choose(rng, ["C", "F"]), "compressor": compressor(rng),
              "dimension_separator": choose(rng, [".", "/"])}
    if rng.random() < 0.35 and 0 not in shape and shape:
        put, layout, options = objects(rng, shape)
        if layout["kind"] == "json":
            # zarr-python 2 reads JSON objects of order F back in a different order.
            common["order"] = "C"
        array = zarr.create(**common, **options, dtype=object, fill_value=None)
        array[...] = put
    else:
        values, filled, layout, options = fixed(rng, shape)
        array = zarr.create(**common, **options)
        put = write_some(rng, values, filled, array.__setitem__)
    held = zarr.open_array(path, mode="r")[...]
    return {"format": 2, "layout": layout, "codecs": str((array.filters, array.compressor)), "chunks": list(chunks)}, put, np.asarray(held)
