"""Writes an Icechunk repository whose array `v` is in another file, and prints its values.

Usage: python write_virtual.py FOLDER            the repository and the file are in a folder
       python write_virtual.py BUCKET ENDPOINT KEY SECRET   they are in a bucket
"""

import datetime
import json
import sys
from pathlib import Path

import icechunk
import numpy as np
import zarr

where, endpoint = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
values = np.random.default_rng(4).standard_normal((6, 20))
# Chunks of 2 x 5, one after the other, behind a header.
blocks = [values[i : i + 2, j : j + 5] for i in range(0, 6, 2) for j in range(0, 20, 5)]
data = b"header.." + b"".join(np.ascontiguousarray(block).tobytes() for block in blocks)

if endpoint is None:
    (Path(where) / "source").mkdir()
    (Path(where) / "source" / "data file.bin").write_bytes(data)
    prefix, container = f"file://{where}/source/", icechunk.local_filesystem_store(f"{where}/source")
    storage, credentials = icechunk.local_filesystem_storage(f"{where}/repository"), None
    location = f"{prefix}data%20file.bin"
else:
    options = {"endpoint_url": endpoint, "allow_http": True, "force_path_style": True, "region": "us-east-1"}
    keys = {"access_key_id": sys.argv[3], "secret_access_key": sys.argv[4]}
    storage = icechunk.s3_storage(bucket=where, prefix="repository", **options, **keys)
    prefix = f"s3://{where}/source/"
    container = icechunk.s3_store(**options)
    credentials = icechunk.s3_static_credentials(**keys)
    location = f"{prefix}data.bin"

config = icechunk.RepositoryConfig.default()
config.set_virtual_chunk_container(icechunk.VirtualChunkContainer(prefix, container))
access = icechunk.containers_credentials({prefix: credentials})
repository = icechunk.Repository.create(storage, config=config, authorize_virtual_chunk_access=access)
repository.save_config()
session = repository.writable_session("main")
array = zarr.create_array(session.store, name="v", shape=(6, 20), chunks=(2, 5), dtype="float64", compressors=None)
now = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=10)
for k in range(len(blocks) - 1):
    session.store.set_virtual_ref(f"v/c/{k // 4}/{k % 4}", location, offset=8 + 80 * k, length=80, checksum=now)
# The last chunk is in the repository.
array[4:6, 15:20] = values[4:6, 15:20]
session.commit("virtual")
print(json.dumps({"prefix": prefix, "values": values.ravel().tolist(), "data": data.hex()}))
