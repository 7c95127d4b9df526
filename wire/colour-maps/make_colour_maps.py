"""Writes tables.ts: the colours of each map, 256 entries of 3 bytes, as base64url.

Run with matplotlib and cmcrameri installed: python make_colour_maps.py
"""

import base64
from pathlib import Path

import cmcrameri
import matplotlib

MATPLOTLIB = {
    "viridis": "viridis",
    "magma": "magma",
    "inferno": "inferno",
    "plasma": "plasma",
    "cividis": "cividis",
    "turbo": "turbo",
    "greys": "Greys",
    "RdBu": "RdBu",
}
CRAMERI = ("batlow", "vik")


def table(colour_map):
    colours = colour_map(range(256), bytes=True)[:, :3]
    return base64.urlsafe_b64encode(colours.tobytes()).decode()


tables = {name: table(matplotlib.colormaps[source]) for name, source in MATPLOTLIB.items()}
tables |= {name: table(getattr(cmcrameri.cm, name)) for name in CRAMERI}

lines = [
    "/**",
    " * Colours of the colour maps: 256 entries of 3 bytes (sRGB), as base64url. Written by make_colour_maps.py; the licences are in",
    " * licences/.",
    " */",
    "",
    "export const colourTables = {",
    *(f"  {name}:\n    '{text}'," for name, text in tables.items()),
    "} as const;",
    "",
]
(Path(__file__).parent / "tables.ts").write_text("\n".join(lines))
