/**
 * What changes with the data, for descriptions: sizes, chunks, and the first and last label of indexes. Read by documents
 * of the schema itself, so with the rights and limits of its callers.
 */
import { type GraphQLField, type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';
import { zarrOf } from './describe.js';

/** Arrays of one document. */
const ARRAYS_AT_ONCE = 50;
/** Arrays that have hints. */
const MAX_ARRAYS = 1000;

/** Executes a document. @returns its `data`; undefined if it failed */
export type RunDocument = (document: string) => Promise<Readonly<Record<string, unknown>> | undefined>;

type Field = GraphQLField<unknown, unknown>;

interface HintedArray {
  readonly field: Field;
  /** The fields from the root to the group of the array. */
  readonly groups: readonly string[];
  readonly isIndex: boolean;
}

/** Sentences by field. */
export type Hints = ReadonlyMap<Field, string>;

/** What cannot be read has no hint. */
export async function readHints(schema: GraphQLSchema, run: RunDocument): Promise<Hints> {
  const hints = new Map<Field, string>();
  const byGroup = new Map<string, HintedArray[]>();
  for (const array of arraysIn(schema)) {
    const path = array.groups.join(' ');
    byGroup.set(path, [...(byGroup.get(path) ?? []), array]);
  }
  for (const arrays of byGroup.values())
    for (let at = 0; at < arrays.length; at += ARRAYS_AT_ONCE)
      await readSome(arrays.slice(at, at + ARRAYS_AT_ONCE), run, hints);
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
function arraysIn(schema: GraphQLSchema): HintedArray[] {
  const found: HintedArray[] = [];
  const query = schema.getQueryType();
  let level: { readonly type: GraphQLObjectType; readonly groups: readonly string[] }[] = query ? [{ type: query, groups: [] }] : []; // prettier-ignore
  while (level.length > 0 && found.length < MAX_ARRAYS) {
    const next: typeof level = [];
    for (const { type, groups } of level)
      for (const field of Object.values(type.getFields())) {
        const own = field.type;
        if (!isObjectType(own) || zarrOf(field).path === undefined) continue;
        const members = own.getFields();
        if (members['_name'] !== undefined) next.push({ type: own, groups: [...groups, field.name] });
        else {
          const [dim, ...others] = field.args;
          const isIndex = members['value'] !== undefined && others.length === 0 && dim?.name === field.name;
          found.push({ field, groups, isIndex });
        }
      }
    level = next;
  }
  return found.slice(0, MAX_ARRAYS);
}

async function readSome(
  arrays: readonly HintedArray[],
  run: RunDocument,
  hints: Map<Field, string>,
): Promise<void> {
  const [{ groups } = { groups: [] }] = arrays;
  const fields = arrays.map(({ field: { name }, isIndex }, i) => {
    const label = (alias: string, index: number) =>
      ` ${alias}${i}: ${name}(${name}: {index: ${index}}) { value }`;
    const labels = isIndex ? label('first', 0) + label('last', -1) : '';
    return `a${i}: ${name} { array { shape chunkShape } }${labels}`;
  });
  const open = groups.map((name) => `${name} { `).join('');
  const data = await run(`{ ${open}${fields.join(' ')} ${'}'.repeat(groups.length + 1)}`);
  const group = groups.reduce<unknown>((value, name) => memberOf(value, name), data);
  for (const [i, { field }] of arrays.entries()) {
    const array = memberOf(memberOf(group, `a${i}`), 'array');
    const [shape, chunks] = [sizesOf(memberOf(array, 'shape')), sizesOf(memberOf(array, 'chunkShape'))];
    if (shape === undefined || chunks === undefined) continue;
    const [first, last] = ['first', 'last'].map((alias) => memberOf(memberOf(group, alias + String(i)), 'value')); // prettier-ignore
    const labels = isLabel(first) && isLabel(last) ? ` From ${first} to ${last}.` : '';
    hints.set(field, shape === '' ? 'A single value.' : `Shape ${shape}, chunks ${chunks}.${labels}`);
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (Reflect.get(value, name) as unknown) : undefined;
}

function sizesOf(value: unknown): string | undefined {
  return Array.isArray(value) ? value.join(' x ') : undefined;
}

/** Labels of one line. Text comes from the data. */
function isLabel(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && /^[\w:.+ -]{1,60}$/.test(value));
}
