"""Prints the size, mode and SHA-256 of the RGBA pixels of each PNG file in argv, as JSON."""

import hashlib
import json
import sys

from PIL import Image

outputs = []
for file in sys.argv[1:]:
    Image.open(file).verify()
    with Image.open(file) as image:
        pixels = image.convert("RGBA").tobytes()
        outputs.append([image.width, image.height, image.mode, hashlib.sha256(pixels).hexdigest()])
print(json.dumps(outputs))
