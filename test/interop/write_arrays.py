"""
Writes random arrays with one of the reference writers, and what they hold.

    python write_arrays.py zarr3|tensorstore|zarr2 FOLDER SEED COUNT

Each array is a store of its own; FOLDER/cases.jsonl has the form of test/fixtures/matrix/cases.jsonl. The array number
n depends on the seed and n alone.
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
            # `put` is what was put in, `held` what the writer itself reads back; -0 may become the fill value 0 there.
            try:
                case, put, held = writer.write(os.path.join(folder, path), np.random.default_rng([seed, n]))
                if not same(put, held):
                    raise ValueError(f"the writer does not read back what it wrote: {case}")
            except Exception as error:  # noqa: BLE001: what the writer cannot do is no matter of ours
                print(f"{case_id}: not written: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
                continue
            case |= {"id": case_id, "path": path, "node": "", "shape": list(np.shape(held)), "features": ["nan-payload"]}
            case["expected"] = to_base64(lay_out(held, case["layout"]))
            out.write(json.dumps(case, allow_nan=False) + "\n")


if __name__ == "__main__":
    main()
