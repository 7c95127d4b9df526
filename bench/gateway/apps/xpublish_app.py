"""xpublish with its OPeNDAP plugin. argv: store, port, "dask" (reads the store) or "memory" (keeps the whole array in memory)."""

import sys

import xarray
import xpublish
from xpublish_opendap.plugin import OpenDapPlugin

store, port, mode = sys.argv[1:4]
dataset = xarray.open_zarr(store, chunks=None if mode == "memory" else {})
rest = xpublish.Rest({"d": dataset})
if "opendap" not in rest.plugins:
    rest.register_plugin(OpenDapPlugin())
rest.serve(host="127.0.0.1", port=int(port), log_level="warning", access_log=False)
