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


def several(dataset):
    # Read once, with and without dask.
    part = dataset.compute()
    u, v = part["u10"], part["v10"]
    expressions = [np.sqrt(u**2 + v**2), u * v, u + v, abs(u - v), np.maximum(u, v)]
    return np.stack([values.mean("time").values for values in expressions])


def several_slices(variable):
    part = variable.compute()
    return np.stack([part.mean("time"), part.max("time"), part.min("time"), part.std("time")])


def rolling(variable):
    return np.nan_to_num(variable.rolling(time=7).mean().values)


OPERATIONS = {
    "climatology": ("ds", "t2m", climatology, PART),
    "anomaly-std": ("ds", "t2m", anomaly_std, PART),
    "polygon-mean": ("ds", "t2m", polygon_mean, PART),
    "weighted-mean": ("ds", "t2m", weighted_mean, PART),
    "wind-speed": ("wind", None, lambda dataset: speed(dataset.isel(time=0)).values, PART),
    "wind-speed-mean": ("wind", None, lambda dataset: speed(dataset).mean("time").values, PART),
    "several": ("wind", None, lambda dataset: several(dataset.isel(time=slice(0, 120))), PART),
    "several-small": ("wind", None, lambda dataset: several(dataset.isel(time=slice(0, 30), lat=slice(0, 90))), PART),
    "several-slices": ("ds", "t2m", lambda variable: several_slices(variable.isel(time=slice(0, 120))), PART),
    "rolling": ("ds", "t2m", lambda variable: rolling(variable.isel(time=slice(0, 30))), PART),
    "hovmoller": ("packed", "t2m", lambda variable: variable.mean("lat").values, PART),
    "weighted-packed": ("packed", "t2m", weighted_mean, PART),
    "comparison": ("ds", "t2m", lambda variable: (variable.isel(time=slice(0, 30)) > 280).values, PART),
    "comparison-share": ("ds", "t2m", lambda variable: (variable > 280).mean("time").values, PART),
    "layers": ("layers", "t", lambda variable: variable.max(["y", "x"]).values, {"layer": slice(0, 60)}),
}

xr.set_options(use_flox=True, use_numbagg=True, use_bottleneck=True)
measure(OPERATIONS)
