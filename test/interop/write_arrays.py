"""
Writes random arrays with one of the reference writers, and their values.

    python write_arrays.py zarr3|tensorstore|zarr2|zarrs FOLDER SEED COUNT

Each array is a separate store; FOLDER/cases.jsonl has the form of test/fixtures/matrix/cases.jsonl. The array with
number n depends only on the seed and n.
"""
import importlib
import json
import os
import sys
import warnings

import numpy as np

from values import lay_out, same, to_base64

warnings.simplefilter("ignore")


def main():
    name, folder, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    writer = importlib.import_module(f"writer_{name}")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "cases.jsonl"), "w") as out:
        for n in range(count):
            case_id = f"{name}-{seed}-{n}"
            path = f"{n}.zarr"
            # `put` are the written values, `held` the values that the writer reads back, where -0 may become the fill value 0.
            try:
                case, put, held = writer.write(os.path.join(folder, path), np.random.default_rng([seed, n]))
                if not same(put, held):
                    raise ValueError(f"the writer does not read back what it wrote: {case}")
            except Exception as error:  # noqa: BLE001: ignores unsupported features of the writer
                print(f"{case_id}: not written: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
                continue
            case |= {"id": case_id, "path": path, "node": "", "shape": list(np.shape(held)), "features": ["nan-payload"]}
            case["expected"] = to_base64(lay_out(held, case["layout"]))
            out.write(json.dumps(case, allow_nan=False) + "\n")


if __name__ == "__main__":
    main()
