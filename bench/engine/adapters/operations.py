"""The operations for Python engines. operations.mjs documents the protocol and the operations."""

import hashlib
import json
import pathlib
import sys
import time

import numpy as np


def resident_mb(key):
    """Reads the resident memory in MB (10^6 bytes); zero without /proc."""
    status = pathlib.Path("/proc/self/status")
    if not status.exists():
        return 0
    for line in status.read_text().splitlines():
        if line.startswith(key):
            return round(int(line.split()[1]) * 1024 / 1e6)


def digest(parts):
    sha = hashlib.sha256()
    for part in parts:
        sha.update(np.ascontiguousarray(part, "<u2"))
    return sha.hexdigest()


def full(engine, store, codec, selections):
    seconds = []
    for k in range(4):
        array = engine["open"](store, codec)
        start = time.perf_counter()
        values = engine["read"](array, (slice(None),) * 3)
        if k > 0:
            seconds.append(time.perf_counter() - start)
        if k < 3:
            del values
    peak = resident_mb("VmHWM")
    return {"seconds": seconds, "result": digest([values]), "peakMb": peak}


def reuse(engine, store, codec, selections):
    read = engine["reader"](engine["open"](store, codec))
    seconds = []
    for k in range(5):
        start = time.perf_counter()
        values = read()
        if k > 1:
            seconds.append(time.perf_counter() - start)
    return {"seconds": seconds, "result": digest([values])}


def elem(engine, store, codec, selections):
    array = engine["open"](store, codec)
    seconds, result = [], []
    for k, element in enumerate(selections["elements"]):
        start = time.perf_counter()
        value = engine["read"](array, tuple(element))
        if k >= 5:
            seconds.append(time.perf_counter() - start)
            result.append(int(value))
    return {"seconds": seconds, "result": result}


def slices(engine, store, codec, selections):
    def box(start):
        return tuple(slice(i, i + selections["box"]) for i in start)

    seconds = []
    for _ in range(3):
        array = engine["open"](store, codec)
        engine["read"](array, box(selections["starts"][0]))
        boxes = []
        start = time.perf_counter()
        for corner in selections["starts"][1:]:
            boxes.append(engine["read"](array, box(corner)))
        seconds.append(time.perf_counter() - start)
    return {"seconds": seconds, "result": digest(boxes)}


def plane(engine, store, codec, selections):
    array = engine["open"](store, codec)
    seconds, planes = [], []
    for k, i in enumerate(selections["planes"]):
        start = time.perf_counter()
        values = engine["read"](array, (i, slice(None), slice(None)))
        if k >= 2:
            seconds.append(time.perf_counter() - start)
            planes.append(values)
    return {"seconds": seconds, "result": digest(planes)}


def write(engine, store, codec, selections):
    values = np.fromfile(selections["folder"] / "data.u2", "<u2").reshape(selections["shape"])
    seconds = []
    for k in range(2):
        start = time.perf_counter()
        engine["write"](str(pathlib.Path(store) / str(k)), codec, values)
        seconds.append(time.perf_counter() - start)
    return {"seconds": seconds}


def tree(engine, store, codec, selections):
    if "count_arrays" not in engine:
        return {"unavailable": "has no hierarchies"}
    seconds = []
    for _ in range(2):
        start = time.perf_counter()
        result = engine["count_arrays"](store)
        seconds.append(time.perf_counter() - start)
    return {"seconds": seconds, "result": result}


def verify(engine, store, codec, selections):
    """Reads an array written by another engine."""
    values = engine["read"](engine["open"](store, codec), (slice(None),) * 3)
    files = [path for path in pathlib.Path(store).rglob("*") if path.is_file()]
    return {"seconds": [], "result": digest([values]), "storedMb": round(sum(f.stat().st_size for f in files) / 1e6, 1)}


OPERATIONS = {operation.__name__: operation for operation in (full, reuse, elem, slices, plane, write, tree, verify)}


def run_adapter(**engine):
    operation, store, selections_path, codec = sys.argv[1:5]
    path = pathlib.Path(selections_path)
    selections = {**json.loads(path.read_text()), "folder": path.parent}
    base = resident_mb("VmRSS")
    outcome = OPERATIONS[operation](engine, store, codec, selections)
    print(json.dumps({"peakMb": resident_mb("VmHWM"), "baseMb": base, **outcome}))
