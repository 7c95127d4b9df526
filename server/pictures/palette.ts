/** Palettes: 256 colours of a named colour map, or interpolated between stops. */
import { defined } from '../../wire/guards.js';
import { InputError } from '../zarr/index.js';
import { colourTables } from '../../wire/colour-maps/tables.js';

export type ColourMapName = keyof typeof colourTables;

/** A position between 0 and 1, and the colour there as #rrggbb or #rrggbbaa. */
export interface ColourStop {
  readonly at: number;
  readonly color: string;
}

export type ColourMap = { readonly name: ColourMapName } | { readonly stops: readonly ColourStop[] };

const colourMapNames: readonly string[] = Object.keys(colourTables);

/** Number of colours of a palette. */
export const COLOURS = 256;

const MAX_STOPS = 256;

/**
 * @throws InputError for an unknown name, and unless the stops are 2 to 256 colours in ascending order
 * between 0 and 1
 */
export function checkColourMap({
  name,
  stops,
}: {
  readonly name?: string | null | undefined;
  readonly stops?: readonly ColourStop[] | null | undefined;
}): ColourMap {
  if (typeof name === 'string' && isName(name)) return { name };
  if (typeof name === 'string')
    throw new InputError(
      `unknown colour map ${JSON.stringify(name.slice(0, 40))}; the colour maps are ${colourMapNames.join(', ')}`,
    );
  return { stops: checkStops(stops ?? []) };
}

function isName(name: string): name is ColourMapName {
  return Object.hasOwn(colourTables, name);
}

function checkStops(stops: readonly ColourStop[]): readonly ColourStop[] {
  if (stops.length < 2 || stops.length > MAX_STOPS)
    throw new InputError(`the colour map has ${stops.length} stops; expected 2 to ${MAX_STOPS}`);
  stops.forEach(({ at, color }, i) => {
    const before = stops[i - 1]?.at ?? 0;
    if (!(at >= before && at <= 1))
      throw new InputError(
        `stop ${i} of the colour map is at ${at}; stops must be in ascending order between 0 and 1`,
      );
    parseColour(color);
  });
  return stops.map(({ at, color }) => ({ at, color: color.toLowerCase() }));
}

/**
 * @returns RGBA, one byte each
 * @throws InputError for text of another form
 */
export function parseColour(text: string): readonly number[] {
  if (!/^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text))
    throw new InputError(`${JSON.stringify(text.slice(0, 40))} is not a colour; use #rrggbb or #rrggbbaa`);
  return [1, 3, 5, 7].map((at) => (at < text.length ? Number.parseInt(text.slice(at, at + 2), 16) : 255));
}

/** Creates a palette: 256 colours of 4 bytes each (RGBA). */
export function paletteOf(map: ColourMap): Uint8Array {
  const palette = new Uint8Array(COLOURS * 4);
  if ('name' in map) {
    const table = Buffer.from(colourTables[map.name], 'base64url');
    for (let i = 0; i < COLOURS; i++) {
      palette.set(table.subarray(i * 3, i * 3 + 3), i * 4);
      palette[i * 4 + 3] = 255;
    }
    return palette;
  }
  for (let i = 0; i < COLOURS; i++) palette.set(colourAt(map.stops, i / (COLOURS - 1)), i * 4);
  return palette;
}

/** Interpolates linearly between stops; constant before the first and after the last. */
function colourAt(stops: readonly ColourStop[], at: number): number[] {
  const above = stops.findIndex((stop) => stop.at >= at);
  const [last] = stops.slice(-1);
  const b = stops[above] ?? last;
  const a = above <= 0 ? b : stops[above - 1];
  if (a === undefined || b === undefined) return [0, 0, 0, 0];
  const share = above <= 0 || b.at === a.at ? 1 : (at - a.at) / (b.at - a.at);
  const [from, to] = [parseColour(a.color), parseColour(b.color)];
  return from.map((value, c) => Math.round(value + (defined(to[c]) - value) * share));
}

/** The colour at a position of a palette, as #rrggbb or #rrggbbaa. */
export function hexColour(palette: Uint8Array, position: number): string {
  const text = Buffer.from(palette.subarray(position * 4, position * 4 + 4)).toString('hex');
  return `#${text.endsWith('ff') ? text.slice(0, 6) : text}`;
}
