"""Reads tensors of a slice: stdin is JSON {ARROW, NPY} of URLs, whose values must be equal."""

import io
import json
import sys

import httpx
import numpy
import pyarrow

urls = json.load(sys.stdin)
table = pyarrow.ipc.open_stream(httpx.get(urls["ARROW"]).content).read_all()
expected = numpy.load(io.BytesIO(httpx.get(urls["NPY"]).content))
field = table.schema.field("sst")
assert isinstance(field.type, pyarrow.FixedShapeTensorType), field
assert field.metadata[b"units"], field.metadata
column = table["sst"].combine_chunks()
numpy.testing.assert_array_equal(column.to_numpy_ndarray(), expected)
print(json.dumps({"columns": table.column_names, "dims": field.type.dim_names, "rows": table.num_rows}))
