from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import xarray


def data_array(result: Mapping[str, Any], name: str | None = None) -> xarray.DataArray:
    """Converts a slice of a response to xarray.

    result: has ``values``, ``dimensions { name }`` and, for labels, ``coordinates { name dimensions values }``. For
    dates, also ``dtype { numpy }``, of the slice and of the coordinates.

    >>> document = '''{ store(name: "ocean") { variable(path: "/sst") { slice(select: {text: "0"}) {
    ...     values dtype { numpy } dimensions { name }
    ...     coordinates { name dimensions values dtype { numpy } } } } } }'''
    >>> data_array(client.query(document)["store"]["variable"]["slice"], "sst")
    """
    import xarray

    missing = [key for key in ("values", "dimensions") if key not in result]
    if missing:
        raise ValueError(f"the slice lacks {' and '.join(missing)}; add the fields to the document")
    values = _typed(result)
    names = [dim["name"] or f"dim_{d}" for d, dim in enumerate(result["dimensions"])]
    coordinates: dict[str, Any] = {}
    for coordinate in result.get("coordinates") or []:
        labels = _typed(coordinate)
        dims = coordinate.get("dimensions")
        if dims is None:
            raise ValueError("the coordinates lack dimensions; add the field to the document")
        coordinates[coordinate["name"]] = (tuple(dims), labels)
    return xarray.DataArray(values, coordinates, dims=names, name=name)


def _typed(result: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    values: np.ndarray[Any, Any] = np.asarray(result["values"])
    numpy_type = (result.get("dtype") or {}).get("numpy")
    if numpy_type is None:
        return values
    kind = np.dtype(numpy_type).kind
    if kind in "mM":
        return values.view(numpy_type)
    if kind == "b":
        return values.astype(bool)
    if kind == "c":
        complex_values: np.ndarray[Any, Any] = np.ascontiguousarray(values).view(numpy_type)[..., 0]
        return complex_values
    return values
