/** Descriptions of generated fields. They contain no sizes and values, so an append changes none. */
import type { ArrayFacts, DimFacts, GroupFacts } from './facts.js';

/** Attributes are data of others: their text is shortened, and cannot contain markup. */
const MAX_TEXT = 200;

/** White space is reduced, and characters of Markdown are escaped. */
export function plainText(text: string): string {
  const line = text
    .slice(0, 10 * MAX_TEXT)
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim();
  const short = line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1)}…` : line;
  // Within a word, an underscore is no markup.
  return short.replaceAll(/[\\`*{}[\]<>#|~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, String.raw`\$&`);
}

export function describeArray(array: ArrayFacts, graphqlName: string): string {
  const { name, longName, standardName, units, dims, dtype, role } = array;
  const title = longName ?? standardName;
  const of = units === undefined ? '' : ` (${plainText(units)})`;
  const about = title !== undefined ? `${plainText(title)}${of}.` : units === undefined ? '' : `Units: ${plainText(units)}.`; // prettier-ignore
  const along =
    dims.length === 0 ? 'No dimensions' : `Dimensions ${dims.map((dim) => plainText(dim.name)).join(', ')}`;
  const stored = role === 'array' ? ' Stored values, selected by position.' : '';
  return joined(about, `${along}; ${plainText(dtype)}.`, stored.trim(), original(name, graphqlName));
}

export function describeDim(dim: DimFacts, graphqlName: string): string {
  const units = dim.units === undefined ? '' : ` (${plainText(dim.units)})`;
  const about = {
    date: dim.calendar === undefined ? 'Dates.' : `Dates, calendar ${plainText(dim.calendar)}.`,
    longitude: `Longitudes${units}.`,
    number: `${dim.isLatitude ? 'Latitudes' : 'Numbers'}${units}.`,
    integer: `Integers of 64 bits${units}.`,
    text: 'Text.',
    other: 'Labels of different kinds.',
    none: 'Positions; the dimension has no labels.',
  }[dim.label];
  return joined(about, original(dim.name, graphqlName));
}

export function describeGroup(group: GroupFacts, graphqlName: string): string {
  const title = group.title === undefined ? '' : `${plainText(group.title)}.`;
  const closed =
    group.collapsed === undefined ? '' : `Its members have no fields: ${plainText(group.collapsed)}`;
  return joined(title, `The group ${plainText(group.path)}.`, closed, original(group.name, graphqlName));
}

function original(name: string, graphqlName: string): string {
  return name === graphqlName || name === '' ? '' : `Named ${plainText(JSON.stringify(name))} in the store.`;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** What a generated element stands for, printed as `@zarr` in the SDL. */
export interface ZarrNote {
  readonly name?: string;
  readonly path?: string;
}

/** The extensions of a generated element. */
export function note(name: string, graphqlName: string, path?: string): { extensions: { zarr: ZarrNote } } {
  return { extensions: { zarr: { ...(name === graphqlName || name === '' ? {} : { name }), ...(path === undefined ? {} : { path }) } } }; // prettier-ignore
}
