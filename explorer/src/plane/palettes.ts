/** Palettes as equidistant colours; colours between them are interpolated. */
const anchors: Readonly<Record<string, readonly string[]>> = {
  viridis: [
    '440154',
    '482475',
    '414487',
    '355f8d',
    '2a788e',
    '21918c',
    '22a884',
    '44bf70',
    '7ad151',
    'bddf26',
    'fde725',
  ],
  magma: [
    '000004',
    '140e36',
    '3b0f70',
    '641a80',
    '8c2981',
    'b73779',
    'de4968',
    'f7705c',
    'fe9f6d',
    'fecf92',
    'fcfdbf',
  ],
  cividis: [
    '00224e',
    '123570',
    '3b496c',
    '575d6d',
    '707173',
    '8a8678',
    'a59c74',
    'c3b369',
    'e1cc55',
    'fee838',
  ],
  turbo: [
    '30123b',
    '4145ab',
    '4675ed',
    '39a2fc',
    '1bcfd4',
    '24eca6',
    '61fc6c',
    'a4fc3c',
    'd1e834',
    'f3c63a',
    'fe9b2d',
    'f36315',
    'd93806',
    'b11901',
    '7a0402',
  ],
  balance: [
    '053061',
    '2166ac',
    '4393c3',
    '92c5de',
    'd1e5f0',
    'f7f7f7',
    'fddbc7',
    'f4a582',
    'd6604d',
    'b2182b',
    '67001f',
  ],
  relief: [
    '0b1f4b',
    '1b4a8a',
    '3f85bd',
    '8fc3df',
    'd4ecf2',
    '4f7f45',
    '97a95c',
    'd6c680',
    'a8794a',
    '7a5340',
    'f5f2ef',
  ],
  grey: ['000000', 'ffffff'],
};

export const palettes = Object.keys(anchors);

/** The name may be any text, because it is part of the address of the page: `__proto__` is unknown too. */
function anchorsOf(name: string): readonly string[] {
  return (Object.hasOwn(anchors, name) ? anchors[name] : anchors['viridis']) ?? [];
}

/** Number of colours in a table. */
export const COLOURS = 256;

const tables = new Map<string, Uint32Array>();

/** Colours as 32-bit pixels: red, green, blue and alpha in little-endian byte order. */
export function colourTable(name: string): Uint32Array {
  const known = tables.get(name);
  if (known !== undefined) return known;
  const colours = anchorsOf(name).map(channelsOf);
  const table = new Uint32Array(COLOURS);
  for (let i = 0; i < COLOURS; i++) {
    const position = (i / (COLOURS - 1)) * (colours.length - 1);
    const low = Math.min(Math.floor(position), colours.length - 2);
    const [a, b] = [colours[low] ?? [], colours[low + 1] ?? []];
    const channel = (c: number) => Math.round((a[c] ?? 0) + (position - low) * ((b[c] ?? 0) - (a[c] ?? 0)));
    table[i] = (0xff << 24) | (channel(2) << 16) | (channel(1) << 8) | channel(0);
  }
  tables.set(name, table);
  return table;
}

function channelsOf(hex: string): readonly number[] {
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

/** The palette in the form that the gateway accepts for pictures. */
export function stopsOf(name: string): readonly { readonly at: number; readonly color: string }[] {
  const colours = anchorsOf(name);
  return colours.map((colour, i) => ({ at: i / (colours.length - 1), color: `#${colour}` }));
}

export function cssColour(name: string, position: number): string {
  const pixel = colourTable(name)[Math.round(Math.min(1, Math.max(0, position)) * (COLOURS - 1))] ?? 0;
  return `rgb(${pixel & 255} ${(pixel >> 8) & 255} ${(pixel >> 16) & 255})`;
}
