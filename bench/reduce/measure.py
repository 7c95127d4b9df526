"""Measures operations of xarray in this process. argv: operation, JSON of store folders, "numpy" or "dask", file for the answer.

Prints {seconds: [one per repetition], peakMb, baseMb}. A part of the data is computed first, so that no compilation is measured.
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
    """operations: by name, the store, its variable or None for the dataset, a function of it, and the part that comes first."""
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
        answer = run(opened())
        seconds.append(time.perf_counter() - start)
    np.ascontiguousarray(np.atleast_1d(answer), "<f8").tofile(file)
    print(json.dumps({"seconds": seconds, "peakMb": resident_mb("VmHWM"), "baseMb": base}))
