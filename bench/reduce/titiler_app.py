"""titiler.xarray over HTTP. argv: port."""

import sys

import fastapi
import uvicorn
from titiler.xarray.factory import TilerFactory

app = fastapi.FastAPI()
app.include_router(TilerFactory().router)


@app.get("/ready")
def ready():
    return {}


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
