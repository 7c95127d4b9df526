"""Reductions by xarray in this process. argv: operation, JSON of store folders, "numpy" or "dask", file for the answer.

Prints {seconds: [one per repetition], peakMb, baseMb}. xarray uses numbagg and bottleneck where it can. A part of the data is
reduced first, so that no compilation is measured.
"""

import json
import pathlib
import sys
import time

import bottleneck  # noqa: F401
import numbagg  # noqa: F401
import numpy as np
import xarray as xr

PIXELS = 800
CUBE = {"time": slice(0, 30), "lat": slice(0, 90), "lon": slice(0, 180)}


def resident_mb(key):
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key):
            return round(int(line.split()[1]) * 1024 / 1e6)
    return 0


def reduce(method, dims):
    def run(variable):
        if method == "median" and variable.chunks is not None:
            variable = variable.chunk({"time": -1})
        return getattr(variable, method)(dims).values

    return run


def statistics(variable):
    values = variable.compute()
    ends = [values.count(), values.min(), values.max(), values.mean(), values.std()]
    counts, _ = np.histogram(values.values, 64, (200, 320))
    quantiles = values.quantile([0.02, 0.5, 0.98])
    return np.concatenate([[float(one) for one in ends], quantiles.values, counts])


def line(variable):
    """First, smallest, largest and last point of each bin of equal width."""
    variable = variable.compute()
    (name,) = variable.dims
    x, y = variable[name].values, variable.values
    offset = (x - x[0]) / (x[-1] - x[0])
    starts = np.unique(np.append(np.searchsorted(offset, np.arange(PIXELS) / PIXELS), x.size))
    taken = []
    for start, end in zip(starts[:-1], starts[1:]):
        part = y[start:end]
        taken += sorted({start, start + part.argmin(), start + part.argmax(), end - 1})
    x = x[taken]
    if x.dtype.kind == "M":
        x = (x - np.datetime64("2000-01-01", "ns")) / np.timedelta64(1, "s")
    return np.concatenate([x, y[taken]])


def coarsen(variable):
    factor = max(1, variable.sizes["lat"] // PIXELS)
    return variable.coarsen(lat=factor, lon=factor, boundary="trim").mean().values


OPERATIONS = {
    "mean-time": ("ds", "t2m", reduce("mean", ["time"]), CUBE),
    "mean-space": ("ds", "t2m", reduce("mean", ["lat", "lon"]), CUBE),
    "mean-all": ("ds", "t2m", reduce("mean", ["time", "lat", "lon"]), CUBE),
    "std-time": ("ds", "t2m", reduce("std", ["time"]), CUBE),
    "median-time": ("ds", "t2m", reduce("median", ["time"]), CUBE),
    "statistics": ("ds", "t2m", statistics, CUBE),
    "line-numbers": ("lines", "byDistance", line, {"distance": slice(0, 500_000)}),
    "line-dates": ("lines", "byTime", line, {"time": slice(0, 500_000)}),
    "coarsen": ("map", "height", coarsen, {"lat": slice(0, 960), "lon": slice(0, 960)}),
}

operation, stores, mode, file = sys.argv[1:5]
store, name, run, part = OPERATIONS[operation]


def open_variable():
    # Without dask, coordinates are read when the store is opened.
    return xr.open_zarr(json.loads(stores)[store], chunks={} if mode == "dask" else None)[name]


run(open_variable().isel(part))
base = resident_mb("VmRSS")
seconds = []
for _ in range(3):
    start = time.perf_counter()
    answer = run(open_variable())
    seconds.append(time.perf_counter() - start)
np.ascontiguousarray(np.atleast_1d(answer), "<f8").tofile(file)
print(json.dumps({"seconds": seconds, "peakMb": resident_mb("VmHWM"), "baseMb": base}))
