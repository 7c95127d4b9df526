"""Writes an Icechunk repository of several commits to a folder, and prints what it contains.

Usage: python write_icechunk.py FOLDER

Prints JSON: the snapshots (branch, tag or id) with the values of each array, as base64 of little-endian bytes in C
order, and the changes between two snapshots.
"""

import json
import sys

import icechunk
import numpy as np
import zarr
from icechunk_contents import contents, history

TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64"]  # fmt: skip

rng = np.random.default_rng(7)


def values(dtype, shape):
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype("bool")
    if dtype.startswith("float") or dtype.startswith("complex"):
        return (rng.standard_normal(shape) * 100).astype(dtype)
    return rng.integers(0, 100, shape).astype(dtype)


repository = icechunk.Repository.create(
    icechunk.local_filesystem_storage(sys.argv[1]),
    config=icechunk.RepositoryConfig(inline_chunk_threshold_bytes=64),
)

session = repository.writable_session("main")
root = zarr.group(session.store)
root.attrs["title"] = "first"
for dtype in TYPES:
    array = root.create_array(dtype, shape=(7, 10), chunks=(3, 4), dtype=dtype)
    array[...] = values(dtype, (7, 10))
sharded = root.create_array("deep/down/sharded", shape=(40, 60), chunks=(5, 6), shards=(20, 30), dtype="float32")
sharded[...] = values("float32", (40, 60))
root.create_array("deep/fill", shape=(9, 9), chunks=(3, 3), dtype="int16", fill_value=-7)[0:3, 0:3] = 5
root.create_array("scalar", shape=(), dtype="float64")[...] = 2.5
root.create_array("c", shape=(4,), chunks=(2,), dtype="uint8")[...] = np.arange(4)
root.create_array("doomed", shape=(3,), chunks=(3,), dtype="int32")[...] = 1
first = session.commit("first data")
repository.create_tag("v1", first)

session = repository.writable_session("main")
root = zarr.open_group(session.store)
root.attrs["title"] = "second"
root["float64"][3:6, 0:4] = -1.5
root["deep/down/sharded"][0:5, 0:6] = 9
del root["doomed"]
root.create_array("later/new", shape=(6,), chunks=(4,), dtype="float32")[...] = np.arange(6)
root["int16"].resize((9, 10))
second = session.commit("changes, a new and a deleted array")

repository.create_branch("dev", first)
session = repository.writable_session("dev")
zarr.open_group(session.store)["int8"][...] = 42
third = session.commit("on a branch")

result = {}
for name, options in {
    "main": {"branch": "main"},
    "dev": {"branch": "dev"},
    "v1": {"tag": "v1"},
    second: {"snapshot_id": second},
}.items():
    result[name] = contents(repository.readonly_session(**options).store)
print(
    json.dumps(
        {
            "snapshots": result,
            "ids": {"first": first, "second": second, "third": third},
            "history": history(repository),
        }
    )
)
