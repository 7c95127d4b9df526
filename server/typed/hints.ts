/**
 * What changes with the data, for descriptions: sizes, chunks, and the first and last label of indexes. Labels are read by
 * documents of the schema itself, so with the rights and limits of its callers.
 */
import { type GraphQLField, type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';
import type { ZarrArray } from '../zarr/index.js';
import { zarrOf } from './describe.js';

/** Indexes of one document. */
const INDEXES_AT_ONCE = 25;
/** Indexes whose labels are read. */
const MAX_INDEXES = 100;
/** Arrays that have hints. */
export const MAX_HINTED_ARRAYS = 1000;

/** Executes a document. @returns its `data`; undefined if it failed */
export type RunDocument = (document: string) => Promise<Readonly<Record<string, unknown>> | undefined>;

type Field = GraphQLField<unknown, unknown>;

interface HintedArray {
  readonly field: Field;
  readonly sizes: string;
  /** The fields from the root to the group of the array. */
  readonly groups: readonly string[];
  readonly isIndex: boolean;
}

/** Sentences by field. */
export type Hints = ReadonlyMap<Field, string>;

export function sizesText({ shape, chunkShape, geometry }: ZarrArray): string {
  if (shape.length === 0) return 'A single value.';
  const isUniform = geometry.grid.dims.every(({ runs }) => runs === undefined);
  return `Shape ${shape.join(' x ')}, chunks ${isUniform ? '' : 'of up to '}${chunkShape.join(' x ')}.`;
}

/**
 * @param sizes of arrays, by path
 * @param run for labels; those that cannot be read are omitted
 */
export async function readHints(
  schema: GraphQLSchema,
  sizes: ReadonlyMap<string, string>,
  run: RunDocument,
): Promise<Hints> {
  const arrays = arraysIn(schema, sizes);
  const hints = new Map(arrays.map((array) => [array.field, array.sizes]));
  const indexes = arrays.filter(({ isIndex }) => isIndex).slice(0, MAX_INDEXES);
  for (let at = 0; at < indexes.length; at += INDEXES_AT_ONCE)
    await readLabels(indexes.slice(at, at + INDEXES_AT_ONCE), run, hints);
  return hints;
}

/** Descriptions without hints, by field. The SDL has these, so that appends do not change it. */
const plainDescriptions = new WeakMap<Field, string>();

/** Adds hints to the descriptions of a schema, which introspection returns. @returns whether any has changed */
export function describeWith(hints: Hints): boolean {
  let isChanged = false;
  for (const [field, hint] of hints) {
    const plain = plainDescription(field) ?? '';
    plainDescriptions.set(field, plain);
    const description = `${plain} ${hint}`.trim();
    isChanged ||= field.description !== description;
    field.description = description;
  }
  return isChanged;
}

export function plainDescription(field: Field): string | undefined {
  return plainDescriptions.get(field) ?? field.description ?? undefined;
}

/** The arrays with one path: those of families have many. Groups first, so that large ones do not hide others. */
function arraysIn(schema: GraphQLSchema, sizes: ReadonlyMap<string, string>): HintedArray[] {
  const found: HintedArray[] = [];
  const query = schema.getQueryType();
  let level: { readonly type: GraphQLObjectType; readonly groups: readonly string[] }[] = query ? [{ type: query, groups: [] }] : []; // prettier-ignore
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { type, groups } of level)
      for (const field of Object.values(type.getFields())) {
        const own = field.type;
        const { path } = zarrOf(field);
        if (!isObjectType(own) || path === undefined) continue;
        const members = own.getFields();
        const known = sizes.get(path);
        if (members['_name'] !== undefined) next.push({ type: own, groups: [...groups, field.name] });
        else if (known !== undefined) {
          const [dim, ...others] = field.args;
          const isIndex = members['value'] !== undefined && others.length === 0 && dim?.name === field.name;
          found.push({ field, sizes: known, groups, isIndex });
        }
      }
    level = next;
  }
  return found;
}

async function readLabels(
  indexes: readonly HintedArray[],
  run: RunDocument,
  hints: Map<Field, string>,
): Promise<void> {
  const parts = indexes.map(({ field: { name }, groups }, i) => {
    const ends = `first: ${name}(${name}: {index: 0}) { value } last: ${name}(${name}: {index: -1}) { value }`;
    // The root has no field for itself.
    const [outer, ...inner] = groups;
    if (outer === undefined) return ends.replace('first:', `first${i}:`).replace('last:', `last${i}:`);
    return `i${i}: ${outer} { ${inner.reduceRight((text, group) => `${group} { ${text} }`, ends)} }`;
  });
  const data = await run(`{ ${parts.join(' ')} }`);
  for (const [i, { field, sizes, groups }] of indexes.entries()) {
    const group = groups.reduce<unknown>((value, name, depth) => memberOf(value, depth === 0 ? `i${i}` : name), data); // prettier-ignore
    const suffix = groups.length === 0 ? String(i) : '';
    const [first, last] = ['first', 'last'].map((end) => memberOf(memberOf(group, end + suffix), 'value'));
    if (isLabel(first) && isLabel(last)) hints.set(field, `${sizes} From ${first} to ${last}.`);
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (Reflect.get(value, name) as unknown) : undefined;
}

/** Labels of one line. Text comes from the data. */
function isLabel(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && /^[\w:.+ -]{1,60}$/.test(value));
}
