"""Writes arrays with zarr-python 3 in formats 2 and 3."""
import numcodecs
import numpy as np
import zarr
from zarr import codecs as zc
from zarr.codecs import numcodecs as nc

from shapes import choose, random_chunks, random_shape, write_some
from values import NAT, WORDS, extremes, layout_of, random_objects, random_values

zarr.config.set({"async.concurrency": 1, "threading.max_workers": 1})

NUMBERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", "10ms", "25s", ""]
CNAMES = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]


def random_dtype(rng, order):
    kind = rng.random()
    if kind < 0.6:
        return np.dtype(choose(rng, ["?"] + [order + name for name in NUMBERS]))
    if kind < 0.72:
        unit = choose(rng, UNITS)
        return np.dtype(order + choose(rng, ["M8", "m8"]) + (f"[{unit}]" if unit else ""))
    if kind < 0.9:
        return np.dtype(choose(rng, ["S1", "S5", "V1", "V7", order + "U1", order + "U4"]))
    fields = [("a", order + "i4"), ("b", order + "f8"), ("c", "S3"), ("d", "?"), ("e", order + "M8[s]"), ("f", order + "u2")]
    return np.dtype([fields[i] for i in sorted(rng.permutation(len(fields))[: int(rng.integers(1, 5))])])


def random_fill(rng, dtype):
    """Chooses a fill value of the type; None for the writer's default."""
    if dtype.names:
        return np.zeros((), dtype)[()]
    if dtype.kind in "mM":
        return np.array(NAT if np.datetime_data(dtype)[0] == "generic" else choose(rng, [NAT, NAT, 0, 17, -1]), "<i8").view(dtype.newbyteorder("<")).astype(dtype)[()]
    if dtype.kind == "V" or rng.random() < 0.3:
        return np.zeros((), dtype)[()]
    if dtype.kind in "iufc" and rng.random() < 0.7:
        return np.array(choose(rng, extremes(dtype)), dtype)[()]
    if dtype.kind == "b":
        return np.bool_(True)
    if dtype.kind == "S":
        return np.bytes_(b"xy"[: dtype.itemsize])
    if dtype.kind == "U":
        return np.str_("é")
    return np.array(7, dtype)[()]


def blosc_v3(rng, size):
    return zc.BloscCodec(cname=choose(rng, CNAMES), clevel=int(rng.integers(0, 10)), typesize=max(1, size),
                         shuffle=choose(rng, ["noshuffle", "shuffle", "bitshuffle"]))


def compressors_v3(rng, size):
    one = choose(rng, [
        lambda: [],
        lambda: [zc.GzipCodec(level=int(rng.integers(0, 10)))],
        lambda: [zc.ZstdCodec(level=int(rng.integers(-3, 10)), checksum=bool(rng.integers(2)))],
        lambda: [blosc_v3(rng, size)],
        lambda: [nc.Zlib(level=int(rng.integers(0, 10)))],
        lambda: [nc.BZ2(level=int(rng.integers(1, 10)))],
        lambda: [nc.LZMA(preset=int(rng.integers(0, 3)))],
        lambda: [nc.LZ4(acceleration=1)],
        lambda: [nc.Shuffle(elementsize=max(1, size)), zc.ZstdCodec()],
        lambda: [choose(rng, [nc.CRC32, nc.Adler32, nc.Fletcher32, nc.JenkinsLookup3])()],
    ])()
    return one + ([zc.Crc32cCodec()] if rng.random() < 0.2 else [])


def filters_v3(rng, rank, dtype):
    filters = []
    if rank > 1 and rng.random() < 0.35:
        filters.append(zc.TransposeCodec(order=tuple(int(i) for i in rng.permutation(rank))))
    if dtype is not None and dtype.kind in "iu" and rng.random() < 0.15:
        filters.append(nc.Delta(dtype=dtype.str))
    return filters


def keys(rng, zarr_format):
    name = "v2" if zarr_format == 2 else choose(rng, ["default", "default", "v2"])
    return {"name": name, "separator": choose(rng, [".", "/"])}


def layout_options_v3(rng, chunks, dtype):
    """Chooses shards (one or two levels) and the codecs of their inner chunks."""
    rank = len(chunks)
    numeric = dtype is not None and dtype.names is None and dtype.kind in "iufcU" and dtype.itemsize > 1
    size = dtype.itemsize if dtype is not None else 1
    options = {"filters": filters_v3(rng, rank, dtype), "compressors": compressors_v3(rng, size)}
    if numeric and rng.random() < 0.4:
        options["serializer"] = zc.BytesCodec(endian=choose(rng, ["big", "little"]))
    # zarr-python's shards require a hashable fill value.
    if rank > 0 and (dtype is None or dtype.kind != "V") and rng.random() < 0.3:
        times = tuple(int(rng.integers(1, 4)) for _ in chunks)
        shards = tuple(a * b for a, b in zip(chunks, times))
        if dtype is not None and rng.random() < 0.25:
            inner = [*options["filters"], options.get("serializer", zc.BytesCodec()), *options["compressors"]]
            middle = zc.ShardingCodec(chunk_shape=chunks, codecs=inner, index_location=choose(rng, ["start", "end"]))
            twice = tuple(2 * n for n in shards)
            outer = zc.ShardingCodec(chunk_shape=shards, codecs=[middle], index_location=choose(rng, ["start", "end"]))
            after = [zc.GzipCodec(level=1)] if rng.random() < 0.3 else None
            return {"chunks": twice, "serializer": outer, "filters": None, "compressors": after}
        options["shards"] = {"shape": shards, "index_location": choose(rng, ["start", "end"])}
    return options | {"chunks": chunks}


def options_v2(rng, dtype):
    options = {"order": choose(rng, ["C", "F"])}
    options["compressors"] = choose(rng, [
        lambda: None,
        lambda: numcodecs.Zlib(int(rng.integers(0, 10))),
        lambda: numcodecs.GZip(1),
        lambda: numcodecs.BZ2(1),
        lambda: numcodecs.LZMA(preset=1),
        lambda: numcodecs.LZ4(),
        lambda: numcodecs.Zstd(level=int(rng.integers(0, 10)), checksum=bool(rng.integers(2))),
        lambda: numcodecs.Blosc(cname=choose(rng, CNAMES), clevel=int(rng.integers(0, 10)), shuffle=int(rng.integers(-1, 3))),
    ])()
    if dtype is None:
        return options
    filters = []
    if dtype.kind in "iu" and rng.random() < 0.3:
        filters.append(numcodecs.Delta(dtype=dtype.str))
    if rng.random() < 0.25:
        filters.append(numcodecs.Shuffle(elementsize=max(1, dtype.itemsize)))
    if rng.random() < 0.25:
        filters.append(choose(rng, [numcodecs.CRC32, numcodecs.Adler32, numcodecs.Fletcher32, numcodecs.JenkinsLookup3, numcodecs.CRC32C])())
    return options | {"filters": filters or None}


def write(path, rng):
    zarr_format = choose(rng, [2, 3, 3])
    shape = random_shape(rng)
    chunks = random_chunks(rng, shape)
    attributes = {"n": int(rng.integers(100)), "text": "é\u6f22", "nan": float("nan"), "list": [1, 2.5, None]}
    stated = attributes | {"nan": {"$float": "NaN"}}
    common = {"store": path, "shape": shape, "zarr_format": zarr_format, "attributes": attributes,
              "chunk_key_encoding": keys(rng, zarr_format)}
    case = {"format": zarr_format, "attributes": stated}
    if zarr_format == 3 and rng.random() < 0.5:
        names = [None if rng.random() < 0.2 else f"d{d}" for d in range(len(shape))]
        common["dimension_names"] = names
        case["dimension_names"] = names
    variable = rng.random() < 0.15
    if variable:
        text = zarr_format == 2 or bool(rng.integers(2))
        pool = WORDS if text else [b"", b"\xff\x00", b"abc" * 30]
        fill = choose(rng, ["", "fïll"]) if text else b""
        values = random_objects(pool, shape, rng)
        filled = np.full(shape, fill, object)
        common |= {"dtype": str if text else "variable_length_bytes", "fill_value": fill}
        dtype, case["layout"] = None, {"kind": "var_utf8" if text else "var_bytes"}
    else:
        order = choose(rng, ["<", ">"]) if zarr_format == 2 else "<"
        dtype = random_dtype(rng, order)
        fill = random_fill(rng, dtype)
        values = random_values(dtype, shape, rng)
        filled = np.full(shape, fill, dtype)
        common |= {"dtype": dtype, "fill_value": fill}
        case["layout"] = layout_of(dtype)
    if zarr_format == 3:
        common |= layout_options_v3(rng, chunks, dtype)
    else:
        common |= {"chunks": chunks} | options_v2(rng, dtype)
    array = zarr.create_array(**common)
    put = write_some(rng, values, filled, array.__setitem__)
    held = zarr.open_array(path, mode="r")[...]
    # A single string has no padding.
    held = np.asarray(held, dtype=object if variable else dtype)
    case["codecs"] = repr(array.metadata.codecs if zarr_format == 3 else (array.metadata.filters, array.metadata.compressor))
    case["chunks"] = list(chunks)
    return case, put, held
