"""The operations for Python engines. operations.mjs documents the protocol and the operations."""

import hashlib
import json
import pathlib
import resource
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


class Times:
    """Times of repetitions in seconds."""

    def __init__(self):
        self.seconds, self.cpu = [], []

    def start(self):
        self._before = time.perf_counter(), cpu_seconds()

    def end(self, warm_up=False):
        seconds, cpu = time.perf_counter() - self._before[0], cpu_seconds() - self._before[1]
        if not warm_up:
            self.seconds.append(seconds)
            self.cpu.append(cpu)

    def all(self):
        return {"seconds": self.seconds, "cpu": self.cpu}


def cpu_seconds():
    """The CPU time of all threads."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def full(engine, store, codec, selections):
    times = Times()
    for k in range(4):
        array = engine["open"](store, codec)
        times.start()
        values = engine["read"](array, (slice(None),) * 3)
        times.end(k == 0)
        if k < 3:
            del values
    peak = resident_mb("VmHWM")
    return {**times.all(), "result": digest([values]), "peakMb": peak}


def reuse(engine, store, codec, selections):
    read = engine["reader"](engine["open"](store, codec))
    times = Times()
    for k in range(5):
        times.start()
        values = read()
        times.end(k < 2)
    return {**times.all(), "result": digest([values])}


def elem(engine, store, codec, selections):
    array = engine["open"](store, codec)
    times, result = Times(), []
    for k, element in enumerate(selections["elements"]):
        times.start()
        value = engine["read"](array, tuple(element))
        times.end(k < 5)
        if k >= 5:
            result.append(int(value))
    return {**times.all(), "result": result}


def slices(engine, store, codec, selections):
    def box(start):
        return tuple(slice(i, i + selections["box"]) for i in start)

    times = Times()
    for _ in range(3):
        array = engine["open"](store, codec)
        engine["read"](array, box(selections["starts"][0]))
        boxes = []
        times.start()
        for corner in selections["starts"][1:]:
            boxes.append(engine["read"](array, box(corner)))
        times.end()
    return {**times.all(), "result": digest(boxes)}


def plane(engine, store, codec, selections):
    array = engine["open"](store, codec)
    times, planes = Times(), []
    for k, i in enumerate(selections["planes"]):
        times.start()
        values = engine["read"](array, (i, slice(None), slice(None)))
        times.end(k < 2)
        if k >= 2:
            planes.append(values)
    return {**times.all(), "result": digest(planes)}


def write(engine, store, codec, selections):
    values = np.fromfile(selections["folder"] / "data.u2", "<u2").reshape(selections["shape"])
    times = Times()
    for k in range(2):
        times.start()
        engine["write"](str(pathlib.Path(store) / str(k)), codec, values)
        times.end()
    return times.all()


def tree(engine, store, codec, selections):
    if "count_arrays" not in engine:
        return {"unavailable": "has no hierarchies"}
    times = Times()
    for _ in range(2):
        times.start()
        result = engine["count_arrays"](store)
        times.end()
    return {**times.all(), "result": result}


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
