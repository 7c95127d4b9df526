"""The 64 tasks by xarray in this process. argv: the folder of the stores.

Prints the documents as JSON. Then, for each line with the number of a task on stdin, computes it from newly opened stores, whose
opening is not measured, and prints {ms, cpuMs, leaves}.
"""

import gc
import json
import pathlib
import sys
import time

import flox.xarray  # noqa: F401
import numbagg  # noqa: F401
import numpy as np
import xarray as xr

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "test" / "fixtures" / "analysis"))
import make_tasks  # noqa: E402


def opened():
    return {name: xr.open_zarr(f"{sys.argv[1]}/{name}.zarr", chunks=None) for name in ("era", "model", "ocean", "extra", "early", "late")}


def computed(found):
    """With its values, which a selection alone has not read."""
    if isinstance(found, (list, tuple)):
        return [computed(one) for one in found]
    return found if isinstance(found, str) else np.asarray(found)


xr.set_options(use_flox=True, use_numbagg=True, use_bottleneck=True)
print(json.dumps([{key: task[key] for key in ("item", "name", "document")} for task in make_tasks.make_tasks(opened())]), flush=True)
for line in sys.stdin:
    run = make_tasks.make_tasks(opened())[int(line)]["fast"]
    gc.collect()
    cpu, start = time.process_time(), time.perf_counter()
    found = computed(run())
    ms, cpu_ms = 1000 * (time.perf_counter() - start), 1000 * (time.process_time() - cpu)
    print(json.dumps({"ms": ms, "cpuMs": cpu_ms, "leaves": make_tasks.leaves(found)}), flush=True)
