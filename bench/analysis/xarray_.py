"""Grouped and spatial analysis by xarray in this process, with flox, numbagg and regionmask. See measure.py."""

import json
import pathlib

import flox.xarray  # noqa: F401
import numbagg  # noqa: F401
import numpy as np
import regionmask
import shapely.geometry
import xarray as xr
from measure import measure

PART = {"time": slice(0, 60), "lat": slice(0, 90), "lon": slice(0, 180)}
SHAPE = shapely.geometry.shape(json.loads((pathlib.Path(__file__).parent / "polygon.json").read_text()))


def climatology(variable):
    return variable.groupby("time.month").mean().values


def anomaly_std(variable):
    # Without dask, the variable would be read twice.
    months = variable.compute().groupby("time.month") if variable.chunks is None else variable.groupby("time.month")
    return (months - months.mean()).std("time").values


def weighted_mean(variable):
    return variable.weighted(np.cos(np.deg2rad(variable.lat))).mean(["lat", "lon"]).values


def polygon_mean(variable):
    inside = regionmask.Regions([SHAPE]).mask(variable.lon, variable.lat, wrap_lon=True).notnull()
    weights = np.cos(np.deg2rad(variable.lat)) * inside
    rows, columns = inside.any("lon"), inside.any("lat")
    box = {"lat": np.flatnonzero(rows), "lon": np.flatnonzero(columns)}
    if min(map(len, box.values())) == 0:
        return weights.sum().values
    return variable.isel(box).weighted(weights.isel(box)).mean(["lat", "lon"]).values


def speed(dataset):
    return np.sqrt(dataset["u10"] ** 2 + dataset["v10"] ** 2)


OPERATIONS = {
    "climatology": ("ds", "t2m", climatology, PART),
    "anomaly-std": ("ds", "t2m", anomaly_std, PART),
    "polygon-mean": ("ds", "t2m", polygon_mean, PART),
    "weighted-mean": ("ds", "t2m", weighted_mean, PART),
    "wind-speed": ("wind", None, lambda dataset: speed(dataset.isel(time=0)).values, PART),
    "wind-speed-mean": ("wind", None, lambda dataset: speed(dataset).mean("time").values, PART),
}

xr.set_options(use_flox=True, use_numbagg=True, use_bottleneck=True)
measure(OPERATIONS)
