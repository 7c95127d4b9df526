/** The colour maps of the gateway's pictures, as tables of pixels. */
import { colourTables } from '../../../wire/colour-maps/tables.js';

type PaletteName = keyof typeof colourTables;

export const palettes: readonly string[] = Object.keys(colourTables);

const DEFAULT: PaletteName = 'viridis';

/** Palettes whose middle represents zero. */
const centred: readonly string[] = ['RdBu', 'vik'];

export function isCentred(name: string): boolean {
  return centred.includes(name);
}

/** The name may be any text, because it is part of the address of the page: `__proto__` is unknown too. */
function isName(name: string): name is PaletteName {
  return Object.hasOwn(colourTables, name);
}

/** The palette of this name; the default for an unknown name. */
export function paletteOf(name: string): PaletteName {
  return isName(name) ? name : DEFAULT;
}

/** Number of colours in a table. */
export const COLOURS = 256;

const tables = new Map<string, Uint32Array>();

/** Colours as 32-bit pixels: red, green, blue and alpha in little-endian byte order. */
export function colourTable(name: string): Uint32Array {
  const known = tables.get(name);
  if (known !== undefined) return known;
  const bytes = bytesOf(colourTables[paletteOf(name)]);
  const table = new Uint32Array(COLOURS);
  for (let i = 0; i < COLOURS; i++) {
    const [red = 0, green = 0, blue = 0] = bytes.subarray(3 * i, 3 * i + 3);
    table[i] = (0xff << 24) | (blue << 16) | (green << 8) | red;
  }
  tables.set(name, table);
  return table;
}

/** @param text base64url */
function bytesOf(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

export function cssColour(name: string, position: number): string {
  const pixel = colourTable(name)[Math.round(Math.min(1, Math.max(0, position)) * (COLOURS - 1))] ?? 0;
  return `rgb(${pixel & 255} ${(pixel >> 8) & 255} ${(pixel >> 16) & 255})`;
}
