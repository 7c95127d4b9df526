"""Measures operations of xarray in this process. argv: operation, JSON of store folders, "numpy" or "dask", output file.

Prints {seconds: [one per repetition], peakMb, baseMb}. A part of the data is computed first, to exclude compilation.
"""

import json
import pathlib
import sys
import time

import numpy as np
import xarray as xr


def resident_mb(key):
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key):
            return round(int(line.split()[1]) * 1024 / 1e6)
    return 0


def measure(operations):
    """operations: maps names to the store, the variable (None for the dataset), a function, and the part for the warm-up."""
    operation, stores, mode, file = sys.argv[1:5]
    store, name, run, part = operations[operation]

    def opened():
        # Without dask, coordinates are read when the store is opened.
        dataset = xr.open_zarr(json.loads(stores)[store], chunks={} if mode == "dask" else None)
        return dataset if name is None else dataset[name]

    run(opened().isel(part))
    base = resident_mb("VmRSS")
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        result = run(opened())
        seconds.append(time.perf_counter() - start)
    np.ascontiguousarray(np.atleast_1d(result), "<f8").tofile(file)
    print(json.dumps({"seconds": seconds, "peakMb": resident_mb("VmHWM"), "baseMb": base}))
