"""Large stores for the 64 tasks of test/fixtures/analysis/make_tasks.py. See make_data.py."""

import pathlib
import sys

import numcodecs
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "test" / "fixtures" / "analysis"))
import make_tasks  # noqa: E402

LONGEST = {"time": 60, "depth": 1, "lat": 61, "lon": 120, "y": 120, "x": 150}


def make_task_stores(folder):
    """Writes the stores of the tasks at 1.5 degrees, and the two parts that the store "files" joins."""
    stores = make_tasks.make_stores(large=True)
    era = stores["era"]
    stores |= {"early": era.isel(time=slice(0, 200)), "late": era.isel(time=slice(200, None))}
    for store, dataset in stores.items():
        encoding = {}
        for name, variable in dataset.variables.items():
            encoding[name] = {"chunks": tuple(min(size, LONGEST.get(dim, size)) for dim, size in zip(variable.dims, variable.shape))}
            if name in dataset.data_vars:
                encoding[name]["compressors"] = (numcodecs.Zstd(3),)
                if variable.dtype == np.float64:
                    encoding[name]["dtype"] = "<f4"
            elif variable.dtype.kind == "M":
                encoding[name] |= {"units": "hours since 2000-01-01", "dtype": "int32"}
        dataset.to_zarr(folder / f"{store}.zarr", zarr_format=2, consolidated=True, encoding=encoding)
