"""tiled serving the store as an in-memory tree without a catalogue, its fastest configuration. argv: store, port."""

import pathlib
import sys

import uvicorn
from tiled.adapters.mapping import MapAdapter
from tiled.adapters.zarr import ZarrAdapter
from tiled.config import Authentication
from tiled.server.app import build_app

location = pathlib.Path(sys.argv[1]).resolve().as_uri().replace("file://", "file://localhost")
app = build_app(MapAdapter({"ds": ZarrAdapter.from_uris(location)}), Authentication(allow_anonymous_access=True))
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning", access_log=False)
