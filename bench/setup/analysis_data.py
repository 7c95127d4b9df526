"""Data of the reductions and analyses, with the expected results by NumPy in float64. See make_data.py."""

import json
import pathlib

import numcodecs
import numpy as np
import xarray as xr

LINE_POINTS = 10_000_000
PIXELS = 800


def make_reduce(folder):
    """Writes series of 1e7 points over dates and over numbers, a map of 9600x9600, and the expected reductions of all data."""
    noise = np.random.default_rng(4)
    encoded = {"chunks": (500_000,), "compressors": (numcodecs.Zstd(3),)}
    seconds = np.cumsum(noise.integers(1, 4, LINE_POINTS))
    distance = np.cumsum(noise.random(LINE_POINTS))
    series = np.sin(np.arange(LINE_POINTS) / 3e5) + noise.normal(0, 0.1, LINE_POINTS)
    series = series.astype("<f4")
    dates = np.datetime64("2000-01-01", "ns") + seconds * np.timedelta64(1, "s")
    lines = xr.Dataset(
        {"byTime": ("time", series), "byDistance": ("distance", series)},
        coords={"time": dates, "distance": distance},
    )
    encoding = {name: encoded for name in ("byTime", "byDistance", "distance")}
    encoding["time"] = {**encoded, "units": "seconds since 2000-01-01", "dtype": "int64"}
    lines.to_zarr(folder / "lines.zarr", zarr_format=2, consolidated=True, encoding=encoding)
    lat = np.linspace(89.990625, -89.990625, 9600)
    lon = np.linspace(-179.98125, 179.98125, 9600)
    height = (2000 * np.sin(np.deg2rad(3 * lat))[:, None] * np.cos(np.deg2rad(5 * lon))[None, :]).astype("<f4")
    height += noise.normal(0, 20, height.shape).astype("<f4")
    height = ((height.view("<u4") + 0x400) & np.uint32(0xFFFFF800)).view("<f4")
    # Map software identifies coordinates by these units.
    units = {"lat": {"units": "degrees_north"}, "lon": {"units": "degrees_east"}}
    coords = {name: (name, values, units[name]) for name, values in (("lat", lat), ("lon", lon))}
    relief = xr.Dataset({"height": (("lat", "lon"), height)}, coords=coords)
    encoding = {"height": {"chunks": (480, 480), "compressors": (numcodecs.Zstd(3),)}}
    relief.to_zarr(folder / "map.zarr", zarr_format=2, consolidated=True, encoding=encoding)
    (folder / "expected").mkdir()
    expected = {
        **expected_reductions(np.fromfile(folder.parent / "gateway" / "t2m.f4", "<f4").reshape(365, 360, 720)),
        "line-numbers": expected_line(distance, series),
        "line-dates": expected_line(seconds.astype("f8"), series),
        "coarsen": height.reshape(PIXELS, 12, PIXELS, 12).mean((1, 3), dtype="f8"),
    }
    for name, values in expected.items():
        np.ascontiguousarray(values, "<f8").tofile(folder / "expected" / f"{name}.f8")


def expected_reductions(values):
    exact = values.astype("f8")
    counts, _ = np.histogram(exact, 64, (200, 320))
    ends = [exact.size, exact.min(), exact.max(), exact.mean(), exact.std()]
    return {
        "mean-time": exact.mean(0),
        "mean-space": exact.mean((1, 2)),
        "mean-all": exact.mean(),
        "std-time": exact.std(0),
        "median-time": np.median(values, 0),
        "statistics": np.concatenate([ends, np.quantile(exact, [0.02, 0.5, 0.98]), counts]),
    }


def expected_line(x, y):
    """First, smallest, largest and last point of each of 800 bins of equal width: their x, then their y."""
    bins = np.minimum(((x - x[0]) / (x[-1] - x[0]) * PIXELS).astype(int), PIXELS - 1)
    starts = np.append(np.flatnonzero(np.diff(bins, prepend=-1)), x.size)
    taken = []
    for start, end in zip(starts[:-1], starts[1:]):
        part = y[start:end]
        taken += sorted({start, start + part.argmin(), start + part.argmax(), end - 1})
    return np.concatenate([x[taken], y[taken]])


def make_analysis(folder):
    """Writes a year of daily winds at half a degree, packed temperatures and layers, and the expected analyses."""
    shape = (365, 360, 720)
    noise = np.random.default_rng(5)
    x = np.deg2rad(np.linspace(0.25, 359.75, shape[2]))
    y = np.deg2rad(np.linspace(89.75, -89.75, shape[1]))
    u, v = np.empty(shape, "<f4"), np.empty(shape, "<f4")
    for t in range(shape[0]):
        u[t] = 12 * np.sin(2 * y)[:, None] + 4 * np.sin(4 * x + t / 7)[None, :] + noise.normal(0, 1, shape[1:])
        v[t] = 6 * np.cos(3 * x + t / 5)[None, :] * np.cos(y)[:, None] + noise.normal(0, 1, shape[1:])
    u, v = (((values.view("<u4") + 0x400) & np.uint32(0xFFFFF800)).view("<f4") for values in (u, v))
    days = np.datetime64("2021-01-01", "ns") + np.arange(shape[0]) * np.timedelta64(1, "D")
    lat, lon = np.linspace(89.75, -89.75, shape[1]), np.linspace(0.25, 359.75, shape[2])
    coords = {
        "time": days,
        "lat": ("lat", lat, {"units": "degrees_north"}),
        "lon": ("lon", lon, {"units": "degrees_east"}),
    }
    dataset = xr.Dataset({"u10": (("time", "lat", "lon"), u), "v10": (("time", "lat", "lon"), v)}, coords=coords)
    chunks = {"chunks": (30, 90, 180), "compressors": (numcodecs.Zstd(3),)}
    encoding = {"u10": chunks, "v10": chunks, "time": {"units": "days since 2021-01-01", "dtype": "int64"}}
    dataset.to_zarr(folder / "wind.zarr", zarr_format=2, consolidated=True, encoding=encoding)
    t2m = np.fromfile(folder.parent / "gateway" / "t2m.f4", "<f4").reshape(shape)
    months = days.astype("M8[M]").astype(int) % 12
    (folder / "expected").mkdir()
    total = np.zeros(shape[1:])
    for t in range(shape[0]):
        total += np.sqrt(u[t].astype("f8") ** 2 + v[t].astype("f8") ** 2)
    expected = {
        "wind-speed-mean": total / shape[0],
        "wind-speed": np.sqrt(u[0].astype("f8") ** 2 + v[0].astype("f8") ** 2),
        **expected_analysis(t2m, months, lat, lon),
    }
    make_packed(folder, t2m, coords)
    make_layers(folder)
    expected |= {**expected_parts(t2m, u, v), **expected_packed(folder, lat)}
    for name, values in expected.items():
        np.ascontiguousarray(values, "<f8").tofile(folder / "expected" / f"{name}.f8")


def make_packed(folder, t2m, coords):
    """Writes the temperatures as int16."""
    dataset = xr.Dataset({"t2m": (("time", "lat", "lon"), t2m)}, coords=coords)
    packing = {"dtype": "int16", "scale_factor": 0.01, "add_offset": 250.0, "_FillValue": -32768}
    chunks = {"chunks": (30, 90, 180), "compressors": (numcodecs.Zstd(3),)}
    encoding = {"t2m": {**packing, **chunks}, "time": {"units": "days since 2021-01-01", "dtype": "int64"}}
    dataset.to_zarr(folder / "packed.zarr", zarr_format=2, consolidated=True, encoding=encoding)


def make_layers(folder):
    """Writes 1,460 layers of 91x180 values, one per chunk, and their greatest values."""
    shape = (1460, 91, 180)
    values = np.random.default_rng(6).normal(280, 10, shape).astype("<f4")
    values = ((values.view("<u4") + 0x400) & np.uint32(0xFFFFF800)).view("<f4")
    dataset = xr.Dataset({"t": (("layer", "y", "x"), values)})
    encoding = {"t": {"chunks": (1, 91, 180), "compressors": (numcodecs.Zstd(3),)}}
    dataset.to_zarr(folder / "layers.zarr", zarr_format=2, consolidated=True, encoding=encoding)
    values.max((1, 2)).astype("<f8").tofile(folder / "expected" / "layers.f8")


def expected_parts(t2m, u, v):
    """Several results of one selection, and large results."""
    temperatures, (x, y) = t2m[:120].astype("f8"), (part[:120].astype("f8") for part in (u, v))
    expressions = [np.sqrt(x**2 + y**2), x * y, x + y, np.abs(x - y), np.maximum(x, y)]
    sums = np.cumsum(np.concatenate([np.zeros_like(temperatures[:1]), temperatures[:30]]), 0)
    rolling = np.full((30, *t2m.shape[1:]), np.nan)
    rolling[6:] = (sums[7:] - sums[:-7]) / 7
    return {
        "several": np.stack([values.mean(0) for values in expressions]),
        "several-small": np.stack([values[:30, :90].mean(0) for values in expressions]),
        "several-slices": np.stack([temperatures.mean(0), temperatures.max(0), temperatures.min(0), temperatures.std(0)]),
        "rolling": np.nan_to_num(rolling),
        "comparison": t2m[:30] > 280,
        "comparison-share": (t2m > 280).mean(0),
    }


def expected_packed(folder, lat):
    """Of the temperatures as they are packed."""
    values = xr.open_zarr(folder / "packed.zarr", chunks=None)["t2m"].values
    weights = np.cos(np.deg2rad(lat))
    rows = values.mean(2, dtype="f8")
    return {"hovmoller": values.mean(1, dtype="f8"), "weighted-packed": rows @ weights / weights.sum()}


def expected_analysis(values, months, lat, lon):
    means = np.stack([values[months == month].mean(0, dtype="f8") for month in range(12)])
    squares = np.zeros(values.shape[1:])
    # The anomalies of each month have a mean of zero.
    for t, month in enumerate(months):
        squares += (values[t] - means[month]) ** 2
    polygon = pathlib.Path(__file__).parents[1] / "analysis" / "polygon.json"
    rings = json.loads(polygon.read_text())["coordinates"]
    inside = np.zeros((lat.size, lon.size), bool)
    for ring in rings:
        inside ^= inside_ring(ring, (lon + 180) % 360 - 180, lat)
    weights = np.cos(np.deg2rad(lat))[:, None] * np.ones(lon.size)

    def weighted(factors):
        return np.array([(step * factors).sum() / factors.sum() for step in values])

    return {
        "climatology": means,
        "anomaly-std": np.sqrt(squares / len(values)),
        "polygon-mean": weighted(weights * inside),
        "weighted-mean": weighted(weights),
    }


def inside_ring(ring, lon, lat):
    """Counts the edges that a ray to the east crosses; no vertex lies on a row of cells."""
    crossed = np.zeros((lat.size, lon.size), bool)
    for (x0, y0), (x1, y1) in zip(ring[:-1], ring[1:]):
        rows = (y0 > lat) != (y1 > lat)
        at = x0 + (lat[rows] - y0) / (y1 - y0) * (x1 - x0)
        crossed[rows] ^= lon[None, :] < at[:, None]
    return crossed
