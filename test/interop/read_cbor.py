"""Decodes CBOR responses with cbor2 and the hook of docs/cbor.md. argv: hook, file of cases; prints a JSON line per case."""

import json
import sys
from collections.abc import Mapping

import cbor2
import numpy

namespace = {}
exec(open(sys.argv[1]).read(), namespace)
decode = namespace["decode"]


def plain(value):
    """Converts values to the form of `expected-cbor.ts`: typed arrays as name, shape and bytes; byte strings in hexadecimal."""
    if isinstance(value, numpy.ndarray):
        if value.dtype == object:
            return {"shape": list(value.shape), "data": [plain(item) for item in value.ravel()]}
        name = value.dtype.newbyteorder("<").str
        return {"dtype": name, "shape": list(value.shape), "hex": value.tobytes().hex()}
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return value


for line in open(sys.argv[2]):
    result = decode(bytes.fromhex(line))
    print(json.dumps(plain(result["data"]["store"]["array"]["slice"]["values"])))
