"""What an Icechunk repository contains, as JSON."""

import base64

import numpy as np
import zarr


def contents(store):
    """The values of every array of a snapshot, as base64 of little-endian bytes in C order."""
    root = zarr.open_group(store, mode="r")
    arrays = {}
    for path, node in root.members(max_depth=None):
        if not isinstance(node, zarr.Array):
            continue
        data = np.ascontiguousarray(node[...])
        arrays["/" + path] = {
            "shape": list(node.shape),
            "dtype": str(data.dtype),
            "data": base64.b64encode(data.astype(data.dtype.newbyteorder("<")).tobytes()).decode(),
        }
    return {"arrays": arrays, "attributes": dict(root.attrs)}


def history(repository):
    return [
        {"id": info.id, "message": info.message, "parent": info.parent_id}
        for info in repository.ancestry(branch="main")
    ]
