"""Reads zip archives with Python's zipfile and zarr-python: `python read_zip.py ARCHIVE...` prints a JSON line per archive."""
import base64
import json
import sys
import zipfile

import zarr
from zarr.storage import ZipStore

for path in sys.argv[1:]:
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        damaged = archive.testzip()
    store = ZipStore(path, mode="r", read_only=True)
    root = zarr.open_group(store, mode="r")
    arrays = {}
    for name, array in root.members(max_depth=None):
        if isinstance(array, zarr.Array) and array.size < 10_000:
            values = array[...]
            arrays[name] = {
                "shape": list(values.shape),
                "values": base64.b64encode(values.tobytes()).decode(),
                "attributes": dict(array.attrs),
            }
    store.close()
    print(json.dumps({
        "entries": len(names),
        "names": len(set(names)),
        "damaged": damaged,
        "attributes": dict(root.attrs),
        "arrays": arrays,
    }))
