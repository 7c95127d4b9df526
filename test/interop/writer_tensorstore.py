"""Writes arrays with tensorstore in formats 2 and 3."""
import numpy as np
import tensorstore as ts

from shapes import choose, random_chunks, random_shape, write_some
from values import layout_of, random_values

NAMES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128"]
CNAMES = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
CONTEXT = ts.Context({"data_copy_concurrency": {"limit": 1}, "file_io_concurrency": {"limit": 1}})


def random_fill(rng, dtype):
    """A random fill value, as JSON and as a value."""
    if dtype.kind == "b":
        return True, True
    if dtype.kind == "f":
        return choose(rng, [("NaN", np.nan), ("-Infinity", -np.inf), (-0.0, -0.0), (0.0, 0.0), (1.5, 1.5)])
    if dtype.kind == "c":
        return choose(rng, [([0.0, "NaN"], complex(0, np.nan)), ([1.5, -2.0], 1.5 - 2j)])
    info = np.iinfo(dtype)
    value = choose(rng, [0, 1, int(info.max), int(info.min)])
    return value, value


def compressors(rng, size):
    one = choose(rng, [
        lambda: [],
        lambda: [{"name": "gzip", "configuration": {"level": int(rng.integers(0, 10))}}],
        lambda: [{"name": "zstd", "configuration": {"level": int(rng.integers(1, 10))}}],
        lambda: [{"name": "blosc", "configuration": {"cname": choose(rng, CNAMES), "clevel": int(rng.integers(0, 10)),
                                                    "shuffle": choose(rng, ["noshuffle", "shuffle", "bitshuffle"]),
                                                    "typesize": size, "blocksize": 0}}],
    ])()
    return one + ([{"name": "crc32c"}] if rng.random() < 0.25 else [])


def array_codecs(rng, rank, size):
    codecs = []
    if rank > 1 and rng.random() < 0.4:
        codecs.append({"name": "transpose", "configuration": {"order": [int(i) for i in rng.permutation(rank)]}})
    codecs.append({"name": "bytes", "configuration": {"endian": choose(rng, ["little", "big"])}} if size > 1 else {"name": "bytes"})
    return codecs


def sharding(rng, chunk_shape, codecs):
    index = [{"name": "bytes", "configuration": {"endian": choose(rng, ["little", "little", "big"])}}]
    if rng.random() < 0.7:
        index.append({"name": "crc32c"})
    return {"name": "sharding_indexed", "configuration": {"chunk_shape": list(chunk_shape), "codecs": codecs, "index_codecs": index,
                                                          "index_location": choose(rng, ["start", "end"])}}


def metadata_v3(rng, shape, chunks, dtype):
    rank, size = len(shape), dtype.itemsize
    codecs = array_codecs(rng, rank, size) + compressors(rng, size)
    stored = chunks
    levels = 0 if rank == 0 else choose(rng, [0, 0, 1, 1, 2])
    for _ in range(levels):
        codecs = [sharding(rng, stored, codecs)]
        stored = tuple(n * int(rng.integers(1, 4)) for n in stored)
    if levels and rank > 1 and rng.random() < 0.2:
        order = rng.permutation(rank)
        codecs.insert(0, {"name": "transpose", "configuration": {"order": [int(i) for i in order]}})
        # The following codec receives the axes in this order, so the shard must fit it.
        stored = tuple(stored[int(np.where(order == d)[0][0])] for d in range(rank))
    return stored, {
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(stored)}},
        "chunk_key_encoding": {"name": choose(rng, ["default", "v2"]), "configuration": {"separator": choose(rng, [".", "/"])}},
        "data_type": dtype.name,
        "codecs": codecs,
        "dimension_names": [None if rng.random() < 0.2 else f"d{d}" for d in range(rank)],
    }


def metadata_v2(rng, chunks, dtype):
    order = choose(rng, ["<", ">"]) if dtype.itemsize > 1 else "|"
    compressor = choose(rng, [
        lambda: None,
        lambda: {"id": "zlib", "level": int(rng.integers(0, 10))},
        lambda: {"id": "bz2", "level": 1},
        lambda: {"id": "zstd", "level": int(rng.integers(1, 10))},
        lambda: {"id": "blosc", "cname": choose(rng, CNAMES), "clevel": int(rng.integers(0, 10)), "shuffle": int(rng.integers(-1, 3)), "blocksize": 0},
    ])()
    # If the orders C and F are equal, tensorstore requires C.
    return {"chunks": list(chunks), "dtype": order + dtype.str[1:], "order": choose(rng, ["C", "F"]) if len(chunks) > 1 else "C", "compressor": compressor,
            "filters": None, "dimension_separator": choose(rng, [".", "/"])}


def write(path, rng):
    zarr_format = choose(rng, [2, 3, 3, 3])
    shape = random_shape(rng)
    chunks = random_chunks(rng, shape)
    dtype = np.dtype(choose(rng, NAMES))
    fill_json, fill = random_fill(rng, dtype)
    case = {"format": zarr_format, "layout": layout_of(dtype)}
    if zarr_format == 3:
        stored, metadata = metadata_v3(rng, shape, chunks, dtype)
        case |= {"dimension_names": metadata["dimension_names"]}
    else:
        stored, metadata = chunks, metadata_v2(rng, chunks, dtype)
    spec = {"driver": "zarr3" if zarr_format == 3 else "zarr", "kvstore": {"driver": "file", "path": path + "/"},
            "metadata": metadata | {"shape": list(shape), "fill_value": fill_json}, "create": True}
    array = ts.open(spec, context=CONTEXT).result()

    def assign(selection, values):
        array[selection].write(values).result()

    put = write_some(rng, random_values(dtype, shape, rng), np.full(shape, fill, dtype), assign)
    held = array.read().result()
    return case | {"codecs": str(metadata), "chunks": list(stored)}, put, held
