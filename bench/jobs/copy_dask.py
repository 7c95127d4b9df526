"""The same copy as copy.mjs by zarr-python with dask: one task per shard. Prints the seconds."""

import sys
import time

import dask.array
import dask.config
import zarr
from zarr.codecs import ZstdCodec

source, target, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
start = time.perf_counter()
x = zarr.open_array(source, mode="r")
shards = (8, 1024, 1024)
y = zarr.create_array(
    target,
    shape=x.shape,
    dtype=x.dtype,
    chunks=(1, 256, 256),
    shards=shards,
    compressors=[ZstdCodec(level=0)],
    fill_value=0,
    zarr_format=3,
)
with dask.config.set(scheduler="threads", num_workers=threads):
    dask.array.from_zarr(x, chunks=shards).store(y, lock=False)
print(time.perf_counter() - start)
