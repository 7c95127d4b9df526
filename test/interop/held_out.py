"""Stores with unusual datasets, and xarray's answers to questions about them.

    python held_out.py write FOLDER
    python held_out.py answer FOLDER < questions.json > answers.json
"""

import json
import sys
import warnings

import cftime
import numpy as np
import xarray as xr

warnings.filterwarnings("ignore")
random = np.random.default_rng(7)


def values(*shape, dtype="float32", missing=0.1):
    data = (random.standard_normal(shape) * 10 + 5).astype(dtype)
    if missing and data.dtype.kind == "f":
        data[random.random(shape) < missing] = np.nan
    return data


def days(count):
    return np.datetime64("2001-01-15", "ns") + np.arange(count) * np.timedelta64(10, "D")


def names():
    dims = ("time", "lat", "x 2")
    coords = {
        "time": days(12),
        "lat": ("lat", np.linspace(60, -60, 7), {"units": "degrees_north"}),
        "x 2": ("x 2", np.arange(5) * 2.5),
    }
    odd = ["2m temperature", "t.2", "t_2", "温度", "x", "true", "class", "Ünïcode", "a-b", "a b", "constructor"]
    return xr.Dataset({name: (dims, values(12, 7, 5)) for name in odd}, coords)


def calendar(name, count=30):
    time = [cftime.num2date(d, "days since 2000-01-16", calendar=name) for d in range(0, 30 * count, 30)]
    lon = ("lon", np.arange(20.0, 380.0, 30.0), {"units": "degrees_east"})
    return xr.Dataset({"t": (("time", "lon"), values(count, 12))}, {"time": time, "lon": lon})


def curvilinear():
    y, x = np.mgrid[0:6, 0:8]
    coords = {
        "lat": (("y", "x"), 40.0 + y + 0.1 * x, {"units": "degrees_north"}),
        "lon": (("y", "x"), 5.0 + x - 0.1 * y, {"units": "degrees_east"}),
        "time": days(4),
    }
    return xr.Dataset({"sst": (("time", "y", "x"), values(4, 6, 8))}, coords)


def stations():
    coords = {
        "station": np.array(["Bern", "Zürich", "Oslo", "Genève"], dtype="U8"),
        "time": days(9),
        "id": ("station", np.array([7, 2**53 + 1, -4, 0])),
        "height": ("station", np.array([540.0, 408.0, 23.0, 375.0])),
    }
    data = {
        "wind": (("station", "time"), values(4, 9, dtype="float64")),
        "count": (("time",), np.arange(9, dtype="int32")),
        "remark": (("station",), np.array(["a", "", "ü", "long text"], dtype="U9")),
    }
    return xr.Dataset(data, coords)


def packed():
    coords = {"level": np.array([1000, 850, 500, 200]), "time": days(6)}
    dims = ("time", "level")
    data = {
        "q": (dims, values(6, 4), {}, {"dtype": "int16", "scale_factor": 0.01, "add_offset": 5.0, "_FillValue": -9999}),
        "flag": (dims, random.integers(0, 2, (6, 4)).astype(bool)),
        "byte": (dims, random.integers(0, 255, (6, 4)).astype("uint8")),
        "start": (("time",), days(6) - np.timedelta64(6, "h")),
        "scalar": ((), np.float64(3.25)),
    }
    return xr.Dataset(data, coords)


def write(folder):
    stores = {"names": names(), "days360": calendar("360_day"), "noleap": calendar("noleap"), "curvilinear": curvilinear(), "stations": stations(), "packed": packed()}
    for name, dataset in stores.items():
        dataset.to_zarr(f"{folder}/{name}.zarr", consolidated=True, zarr_format=3 if name in ("names", "packed") else 2)
    tree = f"{folder}/tree.zarr"
    packed().to_zarr(tree, zarr_format=3)
    for i in range(24):
        xr.Dataset({"level": (("time",), values(5))}, {"time": days(5)}).to_zarr(tree, group=f"gauges/g{i:02d}", zarr_format=3, mode="a")
    pyramid = f"{folder}/pyramid.zarr"
    whole = xr.Dataset({"h": (("y", "x"), values(8, 8, missing=0))}, {"y": np.arange(8.0), "x": np.arange(8.0)})
    for i in range(3):
        level = whole if i == 0 else whole.coarsen(y=2**i, x=2**i).mean()
        level.to_zarr(pyramid, group=str(i), zarr_format=3, mode="a")


def opened(folder, store, group):
    return xr.open_zarr(f"{folder}/{store}.zarr", group=group, decode_timedelta=False, consolidated=False if store in ("tree", "pyramid") else None)


def iso(values):
    return [str(v)[:19] if isinstance(v, np.datetime64) else v.isoformat() if isinstance(v, cftime.datetime) else v for v in values]


def select(data, step):
    dim, by, value = step["dim"], step["by"], step["value"]
    if by == "index":
        return data.isel({dim: value})
    if by == "slice":
        return data.isel({dim: slice(*value)})
    if by == "indices":
        return data.isel({dim: value})
    index = data.indexes[dim]
    if by == "during":
        return data.sel({dim: value})
    if by == "at" and isinstance(value, str):
        return data.isel({dim: iso(data[dim].values).index(value)})
    if by == "at":
        return data.sel({dim: value})
    if by == "near":
        return data.sel({dim: value}, method="nearest")
    if by == "between":
        return data.sel({dim: slice(*(value if index.is_monotonic_increasing else value[::-1]))})
    return data.sel({dim: value})


def plain(value):
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def listed(data):
    array = np.asarray(data.values)
    if array.dtype.kind == "M":
        return np.datetime_as_string(array, unit="s").tolist()
    if array.dtype == object and array.size and isinstance(array.flat[0], cftime.datetime):
        return np.vectorize(lambda v: v.isoformat(), otypes=[object])(array).tolist()
    return plain(array.tolist())


def answer(folder, question):
    data = opened(folder, question["store"], question["group"])[question["name"]]
    for step in question["select"]:
        data = select(data, step)
    if question["operation"] is not None:
        method, over = question["operation"]["by"], question["operation"]["over"]
        data = getattr(data, method)(dim=over)
    labels = {str(dim): listed(data[dim]) for dim in data.dims if dim in data.coords}
    return {"values": listed(data), "dims": [str(d) for d in data.dims], "labels": labels}


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2])
    else:
        questions = json.load(sys.stdin)
        json.dump([answer(sys.argv[2], question) for question in questions], sys.stdout)
