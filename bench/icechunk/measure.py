"""Writes the same array as an Icechunk repository and as plain Zarr, or measures reads of the repository in Python.

Usage: python measure.py write FOLDER | python measure.py read FOLDER|s3://BUCKET ROUNDS

The array has 64 chunks of 1 MiB (float32, Zstandard). Prints JSON: milliseconds by operation, the median of the rounds.
"""

import json
import os
import statistics
import sys
import time
from pathlib import Path

import icechunk
import numpy as np
import zarr

SHAPE, CHUNKS = (4096, 4096), (512, 512)
COMPRESSORS = zarr.codecs.ZstdCodec(level=1)


def write(folder):
    rng = np.random.default_rng(3)
    steps = rng.standard_normal(SHAPE).astype("float32")
    values = np.round(np.cumsum(steps, axis=1), 2)
    repository = icechunk.Repository.create(icechunk.local_filesystem_storage(str(folder / "repository")))
    session = repository.writable_session("main")
    for store in (session.store, zarr.storage.LocalStore(folder / "plain.zarr")):
        array = zarr.create_array(
            store, name="t", shape=SHAPE, chunks=CHUNKS, dtype="float32", compressors=COMPRESSORS
        )
        array[...] = values
    session.commit("data")


def operations(array):
    rng = np.random.default_rng(11)
    starts = rng.integers(0, 4096 - 100, (100, 2)).tolist()
    return {
        "full": lambda: array[...],
        "elem": lambda: [array[y, x] for y, x in starts],
        "boxes": lambda: [array[y : y + 100, x : x + 100] for y, x in starts],
    }


def storage_of(location):
    if not location.startswith("s3://"):
        return icechunk.local_filesystem_storage(f"{location}/repository")
    return icechunk.s3_storage(
        bucket=location.removeprefix("s3://"),
        prefix="repository",
        endpoint_url=os.environ["AWS_ENDPOINT_URL"],
        access_key_id=os.environ["AWS_ACCESS_KEY_ID"],
        secret_access_key=os.environ["AWS_SECRET_ACCESS_KEY"],
        region="us-east-1",
        allow_http=True,
        force_path_style=True,
    )


def read(location, rounds):
    result = {}
    for name in operations(None):
        times = []
        for _ in range(rounds):
            # Opened in each round: nothing of the round before is known.
            repository = icechunk.Repository.open(storage_of(location))
            array = zarr.open_array(repository.readonly_session(branch="main").store, path="t", mode="r")
            start = time.perf_counter()
            operations(array)[name]()
            times.append((time.perf_counter() - start) * 1000)
        result[name] = statistics.median(times)
    print("RESULT", json.dumps(result))


if sys.argv[1] == "write":
    write(Path(sys.argv[2]))
else:
    read(sys.argv[2], int(sys.argv[3]))
