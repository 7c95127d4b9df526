"""Compares the results of jobs with those of zarr-python and NumPy. Prints one JSON object."""

import json
import sys

import numpy as np
import zarr

folder = sys.argv[1]
source = zarr.open_group(f"{folder}/from.zarr", mode="r")
x = source["x"][:]
copy = zarr.open_group(f"{folder}/copy.zarr", mode="r")
mean = zarr.open_array(f"{folder}/mean.zarr", mode="r")[:]
pyramid = zarr.open_group(f"{folder}/pyramid.zarr", mode="r")


def halved(values):
    rows, columns = values.shape[1:]
    padded = np.full((values.shape[0], rows + rows % 2, columns + columns % 2), np.nan)
    padded[:, :rows, :columns] = values
    blocks = padded.reshape(values.shape[0], -1, 2, padded.shape[2] // 2, 2)
    return np.nanmean(blocks.astype("float64"), axis=(2, 4))


level = halved(x).astype("float32")
print(
    json.dumps(
        {
            "copy": bool(np.array_equal(copy["x"][:], x, equal_nan=True)),
            "format": copy["x"].metadata.zarr_format,
            "shards": list(copy["x"].shards),
            "chunks": list(copy["x"].chunks),
            "attributes": dict(copy["x"].attrs),
            "names": list(copy["x"].metadata.dimension_names),
            "text": copy["g/names"][:].tolist() == source["g/names"][:].tolist(),
            "mean": bool(np.allclose(mean, np.nanmean(x.astype("float64"), axis=0), rtol=1e-6, equal_nan=True)),
            "level": bool(np.allclose(pyramid["1"][:], level, rtol=1e-6, equal_nan=True)),
            "statistics": {
                "count": int(np.isfinite(x).sum()),
                "missing": int(np.isnan(x).sum()),
                "min": float(np.nanmin(x)),
                "max": float(np.nanmax(x)),
                "mean": float(np.nanmean(x.astype("float64"))),
                "std": float(np.nanstd(x.astype("float64"))),
            },
        }
    )
)
