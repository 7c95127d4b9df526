/** A plugin for GraphQL Code Generator that writes the types of a gateway's stores: `zarrql-client/codegen/stores`. */
import { createClient } from '../client.js';
import { isList, isRecord, type JsonObject } from '../json/json.js';
import type { HeaderSource } from '../options.js';
import {
  readCatalog,
  type Catalog,
  type CatalogArray,
  type CatalogDataset,
  type CatalogStore,
} from './read-catalog.js';

export interface StoresPluginConfig {
  /** URL of the gateway. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Only these stores. @default all */
  readonly stores?: readonly string[] | undefined;
  /** The module that exports the types. @default 'zarrql-client' */
  readonly runtime?: string | undefined;
}

/** Called by the generator. @throws ZarrqlError if the gateway cannot be read */
export async function plugin(
  _schema: unknown,
  _documents: unknown,
  { url, headers, stores, runtime }: StoresPluginConfig,
): Promise<string> {
  const source: HeaderSource | undefined = headers;
  return writeStores(await readCatalog(createClient({ url, headers: source }), { stores }), { runtime });
}

// Writes a catalog as a TypeScript interface for `createClient<Stores>()`.

export interface WriteStoresOptions {
  /** The module that exports the types. @default 'zarrql-client' */
  readonly runtime?: string | undefined;
  /** Name of the interface. @default 'Stores' */
  readonly name?: string | undefined;
}

/**
 * Writes an interface with one property per array, so that the compiler looks up a path instead of checking a union.
 * @returns the text of a module without imports at run time
 */
export function writeStores(catalog: Catalog, options: WriteStoresOptions = {}): string {
  const { runtime = 'zarrql-client', name = 'Stores' } = options;
  const stores = sortedOnce(catalog.stores, ({ name: store }) => store);
  const body = [
    '/** The stores of a gateway, for `createClient`. */',
    `export interface ${name} {`,
    ...stores.flatMap(storeLines),
    '}',
    '',
  ];
  const used = ['ArrayType', 'DTypeName', 'JsonValue'].filter((type) =>
    body.some((line) => line.includes(type)),
  );
  const head = ['// Written by `zarrql codegen`. Rerun it when the stores change.'];
  if (used.length > 0) head.push(`import type { ${used.join(', ')} } from ${stringLiteral(runtime)};`);
  return [...head, '', ...body].join('\n');
}

function storeLines({ name, description, arrays, groups, datasets }: CatalogStore): string[] {
  return [
    ...(description === null ? [] : [`  /** ${commentText(description)} */`]),
    `  readonly ${propertyName(name)}: {`,
    '    readonly arrays: {',
    ...arrayLines(arrays, '      '),
    '    };',
    '    readonly groups: {',
    ...sortedOnce(groups, ({ path }) => path).map(
      ({ path, attributes }) => `      readonly ${propertyName(path)}: ${attributesType(attributes)};`,
    ),
    '    };',
    '    readonly datasets: {',
    ...sortedOnce(datasets, ({ path }) => path).flatMap(datasetLines),
    '    };',
    '  };',
  ];
}

function datasetLines({ path, dimensions, variables }: CatalogDataset): string[] {
  return [
    `      readonly ${propertyName(path)}: {`,
    `        readonly dimensions: ${unionOf(dimensions)};`,
    '        readonly variables: {',
    ...arrayLines(variables, '          '),
    '        };',
    '      };',
  ];
}

function arrayLines(arrays: readonly CatalogArray[], indent: string): string[] {
  return sortedOnce(arrays, ({ path }) => path).flatMap((array) => {
    const { path, dtype, dimensions, attributes } = array;
    const type = dtype === undefined ? 'DTypeName' : stringLiteral(dtype);
    return [
      `${indent}/** ${describe(array)} */`,
      `${indent}readonly ${propertyName(path)}: ArrayType<${type}, ${unionOf(dimensions)}, ${attributesType(attributes)}>;`,
    ];
  });
}

/** `float32 [TIME: 12, COADSY: 90]: SEA SURFACE TEMPERATURE, Deg C` */
function describe({ dtype, shape, dimensions, attributes }: CatalogArray): string {
  const sizes = shape.map((size, d) => (dimensions[d] == null ? `${size}` : `${dimensions[d]}: ${size}`));
  const { long_name: longName, units } = attributes;
  const about = [longName, units].flatMap((text) => (typeof text === 'string' && text !== '' ? [text] : []));
  return commentText(
    `${dtype ?? 'unsupported type'} [${sizes.join(', ')}]${about.length === 0 ? '' : `: ${about.join(', ')}`}`,
  );
}

function unionOf(names: readonly (string | null)[]): string {
  const known = [...new Set(names)].flatMap((name) => (name === null ? [] : [stringLiteral(name)]));
  return known.length === 0 ? 'never' : known.join(' | ');
}

/** Sorts by UTF-16 code units and removes duplicate names, because members of an interface must be unique. */
function sortedOnce<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  const byName = new Map<string, T>();
  for (const item of items) if (!byName.has(nameOf(item))) byName.set(nameOf(item), item);
  return [...byName.entries()].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, item]) => item);
}

/** Escapes untrusted text for source code, so that it cannot end its literal or comment. */
function stringLiteral(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped.replace(invisible, escapeOf)}'`;
}

/** The name of an interface property, quoted if necessary. */
function propertyName(text: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text) ? text : stringLiteral(text);
}

/** Control characters, separators, and format characters, some of which display code in a different order (CVE-2021-42574). */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function escapeOf(character: string): string {
  return Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}

const MAX_COMMENT = 160;

/** Text on one line that does not end the comment. */
function commentText(text: string): string {
  const line = text
    .slice(0, 4 * MAX_COMMENT)
    .replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('*/', '* /')
    .trim();
  return line.length > MAX_COMMENT ? `${line.slice(0, MAX_COMMENT)}...` : line;
}

// TypeScript types of attributes, derived from their current values.

/** Limits of an attribute's type. Deeper or larger attributes have a general type. */
const MAX_DEPTH = 3;
const MAX_MEMBERS = 60;

function attributesType(attributes: JsonObject): string {
  return objectType(attributes, 0);
}

function typeOf(value: unknown, depth: number): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return typeof value;
  if (value === null) return 'null';
  if (depth >= MAX_DEPTH) return 'JsonValue';
  if (isList(value)) return listType(value, depth);
  return isRecord(value) ? objectType(value, depth) : 'JsonValue';
}

function objectType(record: Readonly<Record<string, unknown>>, depth: number): string {
  const entries = Object.entries(record);
  if (entries.length === 0) return '{}';
  if (entries.length > MAX_MEMBERS) return '{ readonly [name: string]: JsonValue }';
  const members = entries.map(
    ([name, value]) => `readonly ${propertyName(name)}: ${typeOf(value, depth + 1)}`,
  );
  return `{ ${members.join('; ')} }`;
}

function listType(list: readonly unknown[], depth: number): string {
  const types = new Set(list.slice(0, MAX_MEMBERS).map((item) => typeOf(item, depth + 1)));
  const [only] = types;
  const plain = types.size === 1 && list.length <= MAX_MEMBERS ? only : undefined;
  if (plain === undefined) return 'readonly JsonValue[]';
  return /^\w+$/.test(plain) ? `readonly ${plain}[]` : `readonly (${plain})[]`;
}
