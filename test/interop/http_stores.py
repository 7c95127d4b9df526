"""The reading tests of zarr-python's own suite for stores, `zarr.testing.store.StoreTests`, over HTTP.

Arguments: the URL under which a gateway serves a folder, and the folder. The suite stores objects under any keys;
a gateway serves documents and chunks, so `set` also writes the metadata of the array to which a chunk belongs.
"""

import json
import os
import shutil
import sys
from pathlib import Path

import obstore.store
import pytest
from fsspec.implementations.http import HTTPFileSystem
from zarr.core.buffer import Buffer, cpu
from zarr.storage import FsspecStore, ObjectStore
from zarr.testing.store import StoreTests

if __name__ == "__main__":
    os.environ["ZARRQL_URL"], os.environ["ZARRQL_FOLDER"] = sys.argv[1:]
URL = os.environ["ZARRQL_URL"]
FOLDER = Path(os.environ["ZARRQL_FOLDER"])


def v3(dimensions):
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": [10] * dimensions,
        "data_type": "uint8",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1] * dimensions}},
        "chunk_key_encoding": {"name": "default"},
        "codecs": [{"name": "bytes"}],
        "fill_value": 0,
    }


def v2(dimensions, separator):
    return {
        "zarr_format": 2,
        "shape": [10] * dimensions,
        "chunks": [1] * dimensions,
        "dtype": "|u1",
        "compressor": None,
        "filters": None,
        "order": "C",
        "fill_value": 0,
        "dimension_separator": separator,
    }


def documents(key):
    """The metadata of the array that has a chunk of this key."""
    parts = key.split("/")
    if key.endswith("zarr.json"):
        return {}
    if parts[0] == "foo":
        return {"foo/c/.zarray": v2(2, ".")} if parts[1] == "c" else {"foo/.zarray": v2(2, "/")}
    return {"zarr.json": v3(len(parts) - 1)} if parts[0] == "c" else {".zarray": v2(1, ".")}


def write(key, data):
    file = FOLDER / key
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


class ReadingTests(StoreTests):
    buffer_cls = cpu.Buffer

    @pytest.fixture(autouse=True)
    def empty_folder(self):
        for entry in FOLDER.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()

    async def set(self, store, key: str, value: Buffer) -> None:
        for name, document in documents(key).items():
            write(name, json.dumps(document).encode())
        write(key, value.to_bytes())

    async def get(self, store, key: str) -> Buffer:
        return self.buffer_cls.from_bytes((FOLDER / key).read_bytes())

    def test_store_repr(self, store):
        pass

    def test_store_supports_writes(self, store):
        pass

    def test_store_supports_listing(self, store):
        pass


class TestFsspec(ReadingTests):
    store_cls = FsspecStore

    @pytest.fixture
    def store_kwargs(self):
        return {"fs": HTTPFileSystem(asynchronous=True, skip_instance_cache=True), "path": URL, "read_only": True}


class TestObstore(ReadingTests):
    store_cls = ObjectStore

    @pytest.fixture
    def store_kwargs(self):
        store = obstore.store.HTTPStore.from_url(URL, client_options={"allow_http": True})
        return {"store": store, "read_only": True}


# Not here: tests that write, list or delete, which web servers do not offer; and those with parts of metadata documents,
# which are sent whole, or with contents of zarr.json that are no metadata.
READING = (
    "test_store_type test_get test_get_not_open test_get_raises test_get_many test_getsize test_getsize_raises "
    "test_get_partial_values test_get_bytes test_get_json"
).split()

if __name__ == "__main__":
    names = [f"{__file__}::{store}::{name}" for store in ("TestFsspec", "TestObstore") for name in READING]
    options = ["-q", "-p", "no:cacheprovider", "-o", "asyncio_mode=auto", "-k", "not key_ranges1 and not key_ranges2"]
    raise SystemExit(pytest.main([*options, *names]))
