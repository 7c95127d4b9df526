"""Reads tables and NetCDF files of slices: stdin is JSON {name: {NPY, ARROW, PARQUET, NETCDF}} of URLs.

Each must equal the NPY file of the same slice, whose missing values (NaN, NaT) are null in tables.
"""

import io
import json
import sys
import tempfile
import warnings

import duckdb
import httpx
import netCDF4
import numpy
import polars
import pyarrow
import pyarrow.parquet
import xarray

warnings.simplefilter("ignore")


def same(ours, expected, name, reader):
    ours = numpy.asarray(ours)
    expected = expected.ravel()
    if expected.dtype.kind in "mM":
        missing = numpy.isnat(expected)
        ours = ours.astype(expected.dtype)
        assert (numpy.isnat(ours) == missing).all(), (name, reader)
        assert (ours[~missing] == expected[~missing]).all(), (name, reader, ours, expected)
    elif expected.dtype.kind == "f":
        numpy.testing.assert_array_equal(ours.astype(expected.dtype), expected, err_msg=f"{name} {reader}")
    else:
        assert (ours == expected).all(), (name, reader, ours, expected)


for name, urls in json.load(sys.stdin).items():
    files = {form: httpx.get(url).raise_for_status().content for form, url in urls.items()}
    expected = numpy.load(io.BytesIO(files["NPY"]))
    table = pyarrow.ipc.open_stream(files["ARROW"]).read_all()
    table.validate(full=True)
    assert table[name].null_count == (expected != expected).sum(), name
    same(table.to_pandas()[name], expected, name, "pyarrow")
    same(polars.from_arrow(table)[name].to_numpy(), expected, name, "polars")
    with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
        file.write(files["PARQUET"])
        file.flush()
        same(pyarrow.parquet.read_table(file.name).to_pandas()[name], expected, name, "parquet")
        same(polars.read_parquet(file.name)[name].to_numpy(), expected, name, "polars parquet")
        count, most = duckdb.sql(f"select count(*), max(\"{name}\") from '{file.name}'").fetchall()[0]
        assert count == expected.size, name
        if expected.dtype.kind in "iuf" and expected.size and not numpy.isnan(expected.astype("f8")).all():
            assert most == numpy.nanmax(expected), (name, most)
    with tempfile.NamedTemporaryFile(suffix=".nc") as file:
        file.write(files["NETCDF"])
        file.flush()
        with netCDF4.Dataset(file.name) as dataset:
            dataset.set_auto_maskandscale(False)
            kind = dataset.data_model
            if expected.dtype.kind not in "mMb":
                same(dataset[name][...].ravel().astype(expected.dtype), expected, name, kind)
        with xarray.open_dataset(file.name, decode_timedelta=True) as dataset:
            same(dataset[name].values.ravel(), expected, name, "xarray")
    print(name, kind)
