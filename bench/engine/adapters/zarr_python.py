"""zarr-python with default options."""

import numcodecs
import numpy as np
import zarr
from operations import run_adapter
from zarr.buffer.cpu import NDBuffer
from zarr.codecs import BloscCodec, GzipCodec, ZstdCodec

CHUNKS = {"chunks": (64, 64, 64), "filters": None, "fill_value": 0, "zarr_format": 3}
ARRAYS = {
    "raw": {**CHUNKS, "compressors": None},
    "zstd": {**CHUNKS, "compressors": ZstdCodec(level=3)},
    "gzip": {**CHUNKS, "compressors": GzipCodec(level=5)},
    "blosc": {**CHUNKS, "compressors": BloscCodec(cname="lz4", clevel=5, shuffle="shuffle", typesize=2)},
    "shard": {**CHUNKS, "chunks": (32,) * 3, "shards": (256,) * 3, "compressors": ZstdCodec(level=3)},
    "blosc-v2": {**CHUNKS, "compressors": numcodecs.Blosc("lz4", 5, numcodecs.Blosc.SHUFFLE), "zarr_format": 2},
}


def write(store, codec, values):
    zarr.create_array(store=store, shape=values.shape, dtype=values.dtype, **ARRAYS[codec])[:] = values


def count_arrays(store):
    members = zarr.open_group(store, mode="r").members(max_depth=None)
    return sum(1 for _, node in members if isinstance(node, zarr.Array) and node.shape and node.dtype)


def reader(array):
    out = np.empty(array.shape, "<u2")
    buffer = NDBuffer.from_ndarray_like(out)

    def read():
        array.get_basic_selection((slice(None),) * 3, out=buffer)
        return out

    return read


run_adapter(
    open=lambda store, codec: zarr.open_array(store, mode="r"),
    read=lambda array, selection: array[selection],
    reader=reader,
    write=write,
    count_arrays=count_arrays,
)
