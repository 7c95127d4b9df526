"""
Reads arrays with one of the reference readers and prints their values, one JSON object per line.

    python read_arrays.py zarr|tensorstore|zarrs FOLDER < list of {id, path, format, layout, shape}
"""
import json
import os
import sys
import warnings

import numpy as np

from values import lay_out, layout_of, to_base64

warnings.simplefilter("ignore")


def read_zarr(path, case):
    import zarr

    if not zarr.__version__.startswith("2."):
        array = zarr.open_array(path, mode="r", zarr_format=case["format"])
    elif case["format"] == 1:
        memory = {name: open(os.path.join(path, name), "rb").read() for name in os.listdir(path)}
        store = zarr.storage.KVStore(memory)
        zarr.storage.migrate_1to2(store)
        array = zarr.Array(store, read_only=True)
    else:
        array = zarr.open_array(path, mode="r")
    held = array[...]
    if case["layout"]["kind"].startswith("var"):
        held = np.asarray(held, dtype=object)
    else:
        # NumPy removes the padding of single strings.
        held = np.asarray(held, dtype=array.dtype)
    return held, {"attributes": dict(array.attrs), "dimension_names": names_of(array)}


def names_of(array):
    names = getattr(getattr(array, "metadata", None), "dimension_names", None)
    return None if names is None else list(names)


def read_tensorstore(path, case):
    import tensorstore as ts

    spec = {"driver": "zarr" if case["format"] == 2 else "zarr3", "kvstore": {"driver": "file", "path": path + "/"}}
    store = ts.open(spec, open=True).result()
    held = np.asarray(store.read().result())
    if held.dtype.itemsize == 0:
        raise TypeError("tensorstore does not return characters as NumPy arrays")
    return held, {"dimension_names": [label or None for label in store.domain.labels]}


def read_zarrs(path, case):
    import zarrista
    from zarrista.store import FilesystemStore

    array = zarrista.Array.open(FilesystemStore(path))
    if array.dtype.name == "string":
        raise TypeError("zarrs does not return strings as NumPy arrays")
    held = np.asarray(array[tuple(slice(0, length) for length in case["shape"])])
    return held, {"attributes": array.attrs, "dimension_names": array.dimension_names}


def main():
    read = {"zarr": read_zarr, "tensorstore": read_tensorstore, "zarrs": read_zarrs}[sys.argv[1]]
    folder = sys.argv[2]
    for case in json.load(sys.stdin):
        try:
            held, more = read(os.path.join(folder, case["path"]), case)
            layout = case["layout"] if case["layout"]["kind"].startswith("var") else layout_of(held.dtype)
            result = {"shape": list(held.shape), "values": to_base64(lay_out(held, layout)), **more}
        except Exception as error:  # noqa: BLE001: reports unsupported features of the reader
            result = {"error": f"{type(error).__name__}: {str(error)[:300]}"}
        print(json.dumps({"id": case["id"], **result}))


if __name__ == "__main__":
    main()
