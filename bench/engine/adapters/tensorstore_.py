"""tensorstore with default options: no cache, one thread per CPU."""

import os
import urllib.parse

import numpy
import tensorstore
from operations import run_adapter

BYTES = {"name": "bytes", "configuration": {"endian": "little"}}
ZSTD = {"name": "zstd", "configuration": {"level": 3}}
BLOSC = {"cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 2}
SHARD = {"chunk_shape": [32] * 3, "codecs": [BYTES, ZSTD], "index_codecs": [BYTES, {"name": "crc32c"}]}
CODECS = {
    "raw": [BYTES],
    "zstd": [BYTES, ZSTD],
    "gzip": [BYTES, {"name": "gzip", "configuration": {"level": 5}}],
    "blosc": [BYTES, {"name": "blosc", "configuration": BLOSC}],
    "shard": [{"name": "sharding_indexed", "configuration": SHARD}],
}


def spec_of(store, codec):
    driver = "zarr" if codec == "blosc-v2" else "zarr3"
    return {"driver": driver, "kvstore": kvstore(store)}


def kvstore(store):
    if not store.startswith("s3://"):
        return {"driver": "file", "path": store}
    url = urllib.parse.urlsplit(store)
    server = {"endpoint": os.environ["AWS_ENDPOINT_URL"], "aws_region": os.environ["AWS_REGION"]}
    return {"driver": "s3", "bucket": url.netloc, "path": url.path[1:] + "/", **server}


def old_metadata(shape):
    compressor = {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1}
    return {"shape": shape, "chunks": [64] * 3, "dtype": "<u2", "fill_value": 0, "compressor": compressor}


def new_metadata(shape, codec):
    grid = {"name": "regular", "configuration": {"chunk_shape": [256 if codec == "shard" else 64] * 3}}
    return {"shape": shape, "data_type": "uint16", "fill_value": 0, "chunk_grid": grid, "codecs": CODECS[codec]}


def write(store, codec, values):
    shape = list(values.shape)
    metadata = old_metadata(shape) if codec == "blosc-v2" else new_metadata(shape, codec)
    array = tensorstore.open({**spec_of(store, codec), "metadata": metadata}, create=True).result()
    array.write(values).result()


def reader(array):
    out = numpy.empty(array.shape, "<u2")
    target = tensorstore.array(out)

    def read():
        target.write(array).result()
        return out

    return read


run_adapter(
    open=lambda store, codec: tensorstore.open(spec_of(store, codec), read=True, open=True).result(),
    read=lambda array, selection: array[selection].read().result(),
    reader=reader,
    write=write,
)
