"""Reductions by xarray in this process, with numbagg and bottleneck if supported. See measure.py."""

import bottleneck  # noqa: F401
import numbagg  # noqa: F401
import numpy as np
from measure import measure

PIXELS = 800
CUBE = {"time": slice(0, 30), "lat": slice(0, 90), "lon": slice(0, 180)}


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
    """Returns the first, smallest, largest and last point of each bin of equal width."""
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

measure(OPERATIONS)
