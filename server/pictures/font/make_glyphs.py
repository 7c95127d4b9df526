"""Writes glyphs.ts: letters of DejaVu Sans, 12 pixels high, in 4 levels of grey.

Requires Pillow and matplotlib, which includes the font: python make_glyphs.py
"""

import base64
from pathlib import Path

import matplotlib
from PIL import Image, ImageDraw, ImageFont

SIZE = 12
HEIGHT = 16
CHARACTERS = [
    *range(0x20, 0x7F),
    *range(0xA0, 0x180),  # Latin
    *range(0x391, 0x3CA),  # Greek
    *range(0x410, 0x450),  # Cyrillic
    0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026, 0x2030, 0x2032, 0x2033,
    *range(0x2070, 0x207A), 0x207B, *range(0x2080, 0x208A),
    0x2103, 0x2126, 0x2190, 0x2192, 0x2202, 0x2206, 0x2207, 0x2211, 0x2212, 0x221A, 0x221E, 0x2248, 0x2260, 0x2264, 0x2265,
    0x22C5, 0xFFFD,
]  # fmt: skip

font = ImageFont.truetype(Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSans.ttf", SIZE)


def glyph(code):
    """The code (2 bytes), the width, and 2 bits for each pixel, row by row."""
    character = chr(code)
    width = round(font.getlength(character))
    image = Image.new("L", (width, HEIGHT))
    ImageDraw.Draw(image).text((0, 1), character, 255, font)
    levels = [round(value / 85) for value in image.tobytes()]
    packed = bytearray(width * HEIGHT // 4)
    for i, level in enumerate(levels):
        packed[i // 4] |= level << 2 * (i % 4)
    return code.to_bytes(2, "little") + bytes([width]) + packed


assert all(font.getmask(chr(code)).getbbox() or chr(code).isspace() for code in CHARACTERS if code != 0xAD)
records = b"".join(glyph(code) for code in CHARACTERS if code != 0xAD)
lines = [
    "/**",
    " * Letters of DejaVu Sans: records of a character code (2 bytes, little-endian), a width, and 2 bits for each pixel of 16 rows,",
    " * as base64url. Written by make_glyphs.py; the licence is in licences/.",
    " */",
    "",
    f"export const glyphRecords =\n  '{base64.urlsafe_b64encode(records).decode()}';",
    "",
]
(Path(__file__).parent / "glyphs.ts").write_text("\n".join(lines))
