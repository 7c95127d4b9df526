/** Descriptions of generated fields. They contain no sizes and values, so an append changes none. */
import type { GraphQLFieldConfigMap } from 'graphql';
import type { ArrayFacts, DimFacts, GroupFacts } from './facts.js';

/** Attributes are data of others: their text is shortened, and cannot contain markup. */
const MAX_TEXT = 200;

/** Text without white space other than spaces and without characters of Markdown: most texts, of thousands. */
const plain = /^[\p{L}\p{N}., ;:()/%°'"=+^-]*$/u;

/** White space is reduced, and characters of Markdown are escaped. */
export function plainText(text: string): string {
  if (text.length <= MAX_TEXT && plain.test(text) && !text.includes('  ') && text.trim() === text)
    return text;
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

/** The note of an element, or those of many fields by their names in GraphQL. */
export type ZarrNotes = ZarrNote | ((field: string) => ZarrNote);

export interface Noted {
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** The extensions of a generated element. */
export function note(name: string, graphqlName: string, path?: string): Noted {
  const own = noteOf(name, graphqlName, path);
  return own.name === undefined && own.path === undefined ? noNote : noted(own);
}

/** Extensions that elements may share: GraphQL copies an object unless it has no prototype. */
export function noted(zarr: ZarrNotes): Noted {
  const extensions: Record<string, unknown> = { __proto__: null };
  extensions['zarr'] = zarr;
  return { extensions };
}

/** For elements without a note. */
export const noNote: Noted = { extensions: Object.freeze({ __proto__: null }) };

export function noteOf(name: string, graphqlName: string, path?: string): ZarrNote {
  return {
    ...(name === graphqlName || name === '' ? {} : { name }),
    ...(path === undefined ? {} : { path }),
  };
}

/** Adds `noNote` to the fields and arguments without a note: GraphQL creates an object of 200 bytes for each of the others. */
export function withNotes<Source, Context>(
  fields: GraphQLFieldConfigMap<Source, Context>,
): GraphQLFieldConfigMap<Source, Context> {
  const entries = Object.entries(fields).map(([name, { args = {}, ...field }]) => {
    const noted = Object.entries(args).map(([key, argument]) => [key, { ...noNote, ...argument }] as const);
    return [name, { ...noNote, ...field, args: Object.fromEntries(noted) }] as const;
  });
  return Object.fromEntries(entries);
}

export interface MaybeNoted {
  readonly name: string;
  readonly extensions?: Readonly<Record<string, unknown>> | null;
}

/** What a generated element stands for; empty if it says nothing. */
export function zarrOf({ name, extensions }: MaybeNoted): ZarrNote {
  const notes = extensions?.['zarr'];
  if (!isNotes(notes)) return {};
  return typeof notes === 'function' ? notes(name) : notes;
}

function isNotes(value: unknown): value is ZarrNotes {
  return typeof value === 'function' || (typeof value === 'object' && value !== null);
}
