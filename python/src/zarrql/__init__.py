"""A client of zarrql, a GraphQL gateway over Zarr stores.

>>> import zarrql
>>> client = zarrql.Client("http://127.0.0.1:4000")
>>> client.query('{ store(name: "ocean") { array(path: "sst") { shape } } }')["store"]["array"]["shape"]
[12, 90, 180]
>>> client.open_dataset("ocean")  # xarray.Dataset, lazily, as Zarr over HTTP
"""

from ._client import Client, ErrorDetail, QueryError
from ._zarr import open_dataset
from ._labelled import data_array

__all__ = ["Client", "ErrorDetail", "QueryError", "data_array", "open_dataset"]
