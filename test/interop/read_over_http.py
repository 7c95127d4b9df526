"""Compares stores over HTTP with their folders: `read_over_http.py BASE TOKEN NAME=FOLDER...`; prints the variables.

The part of NAME after "/" is a group of the store. TOKEN may be empty.
"""

import sys
import warnings

import xarray
import zarr

warnings.simplefilter("ignore")
base, token, *stores = sys.argv[1:]
options = {"headers": {"Authorization": f"Bearer {token}"}} if token else None
for store in stores:
    name, folder = store.split("=", 1)
    url = f"{base}/{name}"
    expected = xarray.open_zarr(folder).load()
    for consolidated in (None, False):
        # Without consolidated metadata, a store over HTTP cannot be listed.
        if consolidated is False:
            for path in expected.variables:
                read = zarr.open_array(f"{url}/{path}", mode="r", storage_options=options)
                stored = zarr.open_array(f"{folder}/{path}", mode="r")
                assert read[...].tobytes() == stored[...].tobytes(), (name, path)
        else:
            shown = xarray.open_zarr(url, storage_options=options).load()
            xarray.testing.assert_identical(shown, expected)
    print(name, len(expected.variables))
