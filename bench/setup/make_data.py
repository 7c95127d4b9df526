"""Generates the benchmark data in the folder argv[1]: 3 GB, reproducible byte for byte.

engine/     data.u2 (the plain values, C order), one store per codec, selections.json, expected.json
gateway/    ds.zarr (v2, consolidated), t2m.f4 (the plain values)
pictures/   world.zarr (v2, consolidated)
reduce/     lines.zarr, map.zarr (v2, consolidated), expected/*.f8: results of NumPy in float64, also for gateway/ds.zarr
analysis/   wind.zarr, packed.zarr, layers.zarr (v2, consolidated), expected/*.f8: results of NumPy in float64, also for gateway/ds.zarr
tasks/      era.zarr, model.zarr, ocean.zarr, extra.zarr, early.zarr, late.zarr (v2, consolidated)
hierarchy/  v2, v2-listed, v3, v3-listed: 100 groups of 100 small arrays, with and without consolidated metadata
"""

import hashlib
import json
import pathlib
import shutil
import sys

import numcodecs
import numpy as np
import xarray as xr
import zarr
from zarr.codecs import BloscCodec, GzipCodec, ZstdCodec

from analysis_data import make_analysis, make_reduce
from tasks_data import make_task_stores

SHAPE = (512, 512, 256)
BOX = 64


def make_once(folder, make, version=1):
    """Makes the data if it does not exist in this version."""
    mark = folder / ("made" if version == 1 else f"made-{version}")
    if mark.exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    print(f"making {folder} ...", file=sys.stderr)
    make(folder)
    mark.touch()


def detector_values():
    """Simulates a 12-bit detector: a smooth field with about 3.5 bits of noise."""
    noise = np.random.default_rng(1)
    z, y, x = (np.arange(n, dtype=np.float32) for n in SHAPE)
    values = np.empty(SHAPE, "<u2")
    for k in range(SHAPE[0]):
        field = 1500 + 600 * np.sin(z[k] / 80) * np.cos(y[:, None] / 60)
        field = field + 300 * np.sin((x[None, :] + y[:, None] / 3) / 50)
        values[k] = field + noise.normal(0, 3, field.shape)
    return values


def engine_stores():
    """Keyword arguments of zarr.create_array by codec."""
    chunks = {"chunks": (64, 64, 64), "filters": None, "zarr_format": 3}
    zstd = ZstdCodec(level=3)
    blosc = BloscCodec(cname="lz4", clevel=5, shuffle="shuffle", typesize=2)
    old_blosc = numcodecs.Blosc("lz4", 5, numcodecs.Blosc.SHUFFLE)
    return {
        "raw": {**chunks, "compressors": None},
        "zstd": {**chunks, "compressors": zstd},
        "blosc": {**chunks, "compressors": blosc},
        "gzip": {**chunks, "compressors": GzipCodec(level=5)},
        "shard": {**chunks, "chunks": (32, 32, 32), "shards": (256, 256, 256), "compressors": zstd},
        "blosc-v2": {**chunks, "compressors": old_blosc, "zarr_format": 2},
    }


def make_engine(folder):
    values = detector_values()
    values.tofile(folder / "data.u2")
    for codec, options in engine_stores().items():
        store = str(folder / codec)
        zarr.create_array(store=store, shape=SHAPE, dtype="uint16", fill_value=0, **options)[:] = values
    selections = choose_selections()
    (folder / "selections.json").write_text(json.dumps(selections))
    (folder / "expected.json").write_text(json.dumps(expected_results(values, selections)))


def choose_selections():
    """The first 5 elements, the first box and the first 2 planes are for warm-up."""
    rng = np.random.default_rng(2)
    elements, chunks = [], set()
    while len(elements) < 30:  # All elements are in different chunks.
        element = [int(rng.integers(0, n)) for n in SHAPE]
        chunk = tuple(i // 64 for i in element)
        if chunk not in chunks:
            chunks.add(chunk)
            elements.append(element)
    starts = []
    while len(starts) < 101:  # The box is not aligned to chunks in any dimension.
        start = [int(rng.integers(0, n - BOX)) for n in SHAPE]
        if all(i % 32 for i in start):
            starts.append(start)
    planes = [7, 100, 191, 260, 391, 500, 33, 150, 450]
    return {"shape": SHAPE, "elements": elements, "starts": starts, "box": BOX, "planes": planes}


def expected_results(values, selections):
    """Computes the SHA-256 of the values as little-endian bytes in C order, concatenated over all parts; elements unchanged."""

    def digest(parts):
        sha = hashlib.sha256()
        for part in parts:
            sha.update(np.ascontiguousarray(part).tobytes())
        return sha.hexdigest()

    def box(start):
        return values[tuple(slice(i, i + BOX) for i in start)]

    return {
        "full": digest([values]),
        "elem": [int(values[tuple(element)]) for element in selections["elements"][5:]],
        "slices": digest(box(start) for start in selections["starts"][1:]),
        "plane": digest(values[i] for i in selections["planes"][2:]),
        "tree": 10000,
    }


def make_gateway(folder):
    """Writes a year of daily temperatures at half a degree."""
    times, rows, columns = 365, 360, 720
    noise = np.random.default_rng(3)
    lat = np.linspace(89.75, -89.75, rows)
    lon = np.linspace(0.25, 359.75, columns)
    values = np.empty((times, rows, columns), "<f4")
    for t in range(times):
        zonal = 250 + 45 * np.cos(np.deg2rad(lat)) + 10 * np.sin(2 * np.pi * t / 365) * np.sin(np.deg2rad(lat))
        wave = 4 * np.sin(np.deg2rad(lon * 3) + t / 9)
        values[t] = zonal[:, None] + wave[None, :] + noise.normal(0, 0.5, (rows, columns))
    # Keep 12 bits of the mantissa, as data archives do.
    values = ((values.view("<u4") + 0x400) & np.uint32(0xFFFFF800)).view("<f4")
    values.tofile(folder / "t2m.f4")
    days = np.datetime64("2021-01-01", "ns") + np.arange(times) * np.timedelta64(1, "D")
    attributes = {"units": "K", "long_name": "2 metre temperature", "standard_name": "air_temperature"}
    dataset = xr.Dataset(
        {"t2m": (("time", "lat", "lon"), values, attributes)},
        coords={
            "time": ("time", days, {"standard_name": "time"}),
            "lat": ("lat", lat, {"units": "degrees_north"}),
            "lon": ("lon", lon, {"units": "degrees_east"}),
        },
        attrs={"title": "synthetic daily temperature", "Conventions": "CF-1.10"},
    )
    encoding = {
        "t2m": {"chunks": (30, 90, 180), "compressors": (numcodecs.Zstd(3),)},
        "time": {"units": "days since 2021-01-01", "dtype": "int64"},
    }
    dataset.to_zarr(folder / "ds.zarr", zarr_format=2, consolidated=True, encoding=encoding)


def make_pictures(folder):
    """Writes twelve maps of 2048x4096 cells, in chunks of 256x256."""
    noise = np.random.default_rng(5)
    lat = np.linspace(90, -90, 2048, endpoint=False) - 90 / 2048
    lon = np.linspace(-180, 180, 4096, endpoint=False) + 180 / 4096
    values = np.empty((12, lat.size, lon.size), "<f4")
    for month in range(12):
        zonal = 250 + 45 * np.cos(np.deg2rad(lat)) + 10 * np.sin(np.pi * month / 6) * np.sin(np.deg2rad(lat))
        wave = 4 * np.sin(np.deg2rad(lon * 7) + month)
        values[month] = zonal[:, None] + wave[None, :] + noise.normal(0, 0.5, (lat.size, lon.size))
    values = ((values.view("<u4") + 0x400) & np.uint32(0xFFFFF800)).view("<f4")
    months = np.arange("2021-01", "2022-01", dtype="datetime64[M]").astype("datetime64[ns]")
    dataset = xr.Dataset(
        {"t2m": (("time", "lat", "lon"), values, {"units": "K", "long_name": "2 metre temperature"})},
        coords={
            "time": ("time", months, {"standard_name": "time"}),
            "lat": ("lat", lat, {"units": "degrees_north", "standard_name": "latitude"}),
            "lon": ("lon", lon, {"units": "degrees_east", "standard_name": "longitude"}),
        },
        attrs={"Conventions": "CF-1.10"},
    )
    encoding = {
        "t2m": {"chunks": (1, 256, 256), "compressors": (numcodecs.Zstd(3),)},
        "time": {"units": "days since 2021-01-01", "dtype": "int64"},
    }
    dataset.to_zarr(folder / "world.zarr", zarr_format=2, consolidated=True, encoding=encoding)


def make_hierarchy(folder):
    old = {".zgroup": {"zarr_format": 2}, ".zattrs": {"title": "hierarchy"}}
    new = {}
    for g in range(100):
        old[f"g{g:03}/.zgroup"] = {"zarr_format": 2}
        old[f"g{g:03}/.zattrs"] = {"index": g}
        new[f"g{g:03}"] = {"zarr_format": 3, "node_type": "group", "attributes": {"index": g}}
        for n in range(100):
            path = f"g{g:03}/a{n:03}"
            old[f"{path}/.zarray"], old[f"{path}/.zattrs"] = old_array([4, n + 1])
            new[path] = new_array([4, n + 1])
    root = {"zarr_format": 3, "node_type": "group", "attributes": {"title": "hierarchy"}}
    inline = {"kind": "inline", "must_understand": False, "metadata": new}
    for name, consolidated in (("v2", True), ("v2-listed", False)):
        put_all(folder / name, old)
        if consolidated:
            put_all(folder / name, {".zmetadata": {"zarr_consolidated_format": 1, "metadata": old}})
    for name, document in (("v3", {**root, "consolidated_metadata": inline}), ("v3-listed", root)):
        put_all(folder / name, {f"{path}/zarr.json": node for path, node in new.items()})
        put_all(folder / name, {"zarr.json": document})


def old_array(shape):
    array = {"zarr_format": 2, "shape": shape, "chunks": shape, "dtype": "<f4", "compressor": None}
    array.update({"fill_value": 0.0, "order": "C", "filters": None})
    return array, {"units": "K", "_ARRAY_DIMENSIONS": ["y", "x"]}


def new_array(shape):
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": "float32",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": shape}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": 0.0,
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
        "attributes": {"units": "K"},
        "dimension_names": ["y", "x"],
        "storage_transformers": [],
    }


def put_all(folder, documents):
    for key, document in documents.items():
        path = folder / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document))


root = pathlib.Path(sys.argv[1])
make_once(root / "engine", make_engine)
make_once(root / "gateway", make_gateway)
make_once(root / "reduce", make_reduce)
make_once(root / "analysis", make_analysis, version=2)
make_once(root / "tasks", make_task_stores)
make_once(root / "pictures", make_pictures)
make_once(root / "hierarchy", make_hierarchy)
(root / "ready").touch()
print(f"The data is in {root}.", file=sys.stderr)
