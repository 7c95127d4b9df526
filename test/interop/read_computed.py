"""Compares computed stores with xarray: `read_computed.py BASE EXAMPLES` reads pairs of a name and a URL as JSON from stdin."""

import json
import sys
import warnings

import numpy
import xarray

warnings.simplefilter("ignore")
base, examples = sys.argv[1:]
urls = json.load(sys.stdin)
ocean = xarray.open_zarr(f"{examples}ocean.zarr").load()
coads = xarray.open_zarr(f"{examples}coads.zarr", decode_times=False).load()
relief = xarray.open_zarr(f"{examples}etopo20_sharded.zarr").load()

expected = {
    "mean": ocean[["sst"]].mean("time"),
    "months": ocean[["sst"]].groupby("time.month").mean(),
    "part": ocean[["sst"]].sel(lat=slice(-5, 5)).isel(time=slice(1, 4)),
    "single": ocean[["sst"]].isel(time=2, lat=45),
    "dataset": ocean[["sst", "air"]].sel(lat=slice(-30, 30)),
    "expression": (ocean["sst"] - ocean["air"]).rename("values").to_dataset(),
    "relief": relief[["relief"]].isel(lat=slice(None, None, 2)),
    "time": ocean[["time"]],
}
for name, url in urls.items():
    shown = xarray.open_zarr(base + url).load()
    for variable in expected[name].variables:
        ours, theirs = shown[variable], expected[name][variable]
        assert ours.dims == theirs.dims, (name, variable, ours.dims, theirs.dims)
        if theirs.dtype.kind in "mM":
            assert (ours.values == theirs.values).all(), (name, variable)
        else:
            numpy.testing.assert_allclose(ours.values, theirs.values, rtol=1e-6, err_msg=f"{name} {variable}")
    if name in ("part", "dataset", "mean"):
        assert shown["sst"].attrs["units"] == ocean["sst"].attrs["units"], shown["sst"].attrs
    print(name, dict(shown.sizes))
