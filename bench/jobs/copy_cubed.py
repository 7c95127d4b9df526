"""The same copy as copy.mjs by Cubed with threads. Prints the seconds. It writes no shards: the chunks are the shards."""

import sys
import time

import cubed
import zarr

if __name__ == "__main__":
    source, target, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
    start = time.perf_counter()
    spec = cubed.Spec(
        work_dir=f"{target}-work",
        allowed_mem="2GB",
        executor_name="threads",
        executor_options={"max_workers": threads},
    )
    x = cubed.from_zarr(source, spec=spec)
    y = cubed.rechunk(x, (8, 1024, 1024))
    cubed.to_zarr(y, target)
    print(time.perf_counter() - start)
