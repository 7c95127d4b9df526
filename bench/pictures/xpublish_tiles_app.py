"""xpublish-tiles over HTTP, with maps by WMS. argv: store, port."""

import sys

import cf_xarray  # noqa: F401
import uvicorn
import xarray as xr
import xpublish
from xpublish_tiles.xpublish.tiles.plugin import TilesPlugin
from xpublish_tiles.xpublish.wms.plugin import WMSPlugin

dataset = xr.open_zarr(sys.argv[1], chunks=None)
dataset.attrs["_xpublish_id"] = "world"
rest = xpublish.SingleDatasetRest(dataset, plugins={"tiles": TilesPlugin(), "wms": WMSPlugin()})


@rest.app.get("/ready")
def ready():
    return {}


uvicorn.run(rest.app, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")
