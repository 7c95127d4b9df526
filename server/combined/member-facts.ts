/** What combining requires of each member: its arrays with their metadata, and the labels along the dimension. */
import { createHash } from 'node:crypto';
import { decodingAttributes, type VariableDecoding } from '../dataset/decode/decoding.js';
import {
  type LabelDirection,
  type LabelKey,
  labelKeys,
  type LabelKeys,
  explained,
} from '../dataset/labels/label-keys.js';
import { orderOf } from '../dataset/labels/label-search.js';
import { openDataset } from '../dataset/open-dataset.js';
import { type Dataset, isVariable, type Variable } from '../dataset/variable.js';
import {
  type Block,
  type ChunkKeys,
  contentsAt,
  createPause,
  dataTypeJson,
  type Documents,
  type Hierarchy,
  isJsonObject,
  type JsonObject,
  LimitError,
  MetadataError,
  numpyTypestr,
  parseJsonText,
  printFillV3,
  printJson,
  sizeOf,
  UnsupportedError,
  type ZarrArray,
  type ZarrGroup,
} from '../zarr/index.js';
import {
  type CombinedMember,
  type MemberEngine,
  type MemberState,
  openMemberHierarchy,
  recordReads,
} from './member.js';

/** An array of a member. Equal texts of all members are one text in memory. */
export interface MemberArray {
  /** Path without the leading slash. */
  readonly path: string;
  readonly dims: readonly string[];
  readonly shape: readonly number[];
  /** Shape of the stored objects, and of the inner chunks. */
  readonly objectShape: readonly number[];
  readonly chunkShape: readonly number[];
  /** Number of stored objects along each dimension, if they have different shapes: `objectShape` is the largest one. */
  readonly objectCounts: readonly number[] | undefined;
  readonly keys: ChunkKeys;
  readonly format: 2 | 3;
  /** The documents as JSON text. */
  readonly documents: string;
  /** The documents without shape and attributes: stored objects of equal ones have the same form. */
  readonly form: string;
  readonly dtype: string;
  /** Data type and fill value of the values in the document, if the stored numbers are read as wider ones. */
  readonly widened: JsonObject | undefined;
  /** Its name, for messages. */
  readonly dtypeName: string;
  /** Whether values are texts; undefined for other values of variable length, which are not computed. */
  readonly isText: boolean | undefined;
  readonly itemSize: number | null;
  /** Attributes that determine how values are decoded, as text by name, and the fill value where it marks missing ones. */
  readonly encoding: ReadonlyMap<string, string>;
  /** The decoding of dates, and their calendar. */
  readonly dates: { readonly decoding: VariableDecoding; readonly calendar: string } | undefined;
}

/** The labels along the concatenated dimension. */
export interface LabelFacts {
  readonly count: number;
  readonly first: LabelKey | undefined;
  readonly last: LabelKey | undefined;
  /** The labels at the ends as text. */
  readonly shown: readonly [string, string];
  readonly direction: LabelDirection;
  /** Labels of different kinds cannot be compared. */
  readonly kind: string;
  /** The labels as stored, unless they are too many. */
  readonly stored: Block | undefined;
}

export interface MemberFacts {
  readonly member: CombinedMember;
  readonly hierarchy: Hierarchy;
  /** What these facts depend on. */
  readonly state: MemberState;
  readonly format: 2 | 3;
  /** Documents of the groups as JSON text, by path. */
  readonly groups: ReadonlyMap<string, string>;
  readonly arrays: ReadonlyMap<string, MemberArray>;
  /** Of each index of the concatenated dimension, by path. */
  readonly labels: ReadonlyMap<string, LabelFacts>;
  /** The digest of all values of an array. @throws errors from reading */
  readonly digest: (path: string) => Promise<string>;
}

export interface FactsOptions {
  /** The concatenated dimension; undefined for a merge. */
  readonly along: string | undefined;
  readonly engine: MemberEngine;
  readonly signal: AbortSignal;
  /** Returns an equal text that is already in memory. */
  readonly intern: (text: string) => string;
  /** Arrays that all members together may still have. */
  readonly left: { arrays: number };
}

/** Maximum size of the labels of a member that are kept, in bytes. */
export const MAX_HELD_LABELS = 16 * 2 ** 20;

/** @throws MetadataError for a store that cannot be combined; store errors */
export async function readFacts(member: CombinedMember, options: FactsOptions): Promise<MemberFacts> {
  const { along, engine, signal, intern, left } = options;
  const recorded = recordReads(member.store);
  const { chunkCache: _, ...withoutCache } = engine;
  const recording = openMemberHierarchy(recorded.store, member, withoutCache);
  const root = await recording.node('/', { signal });
  if (root === undefined) throw new MetadataError(`"${member.name}" has no Zarr metadata`);
  if (root.kind === 'array')
    throw new MetadataError(`"${member.name}" is an array; only groups can be combined`);
  const format = root.meta.zarrFormat;
  if (format === 1) throw new UnsupportedError(`"${member.name}" has format 1, which cannot be combined`);
  const groups = new Map<string, string>();
  const arrays = new Map<string, MemberArray>();
  const labels = new Map<string, LabelFacts>();
  const variables = new Map<string, Variable>();
  const digests = new Map<string, Promise<string>>();
  const pause = createPause(signal);

  async function visit(group: ZarrGroup, above: Dataset | undefined): Promise<void> {
    groups.set(group.path.slice(1), intern(printJson(group.meta.documents)));
    const dataset = await openDataset(recording, group, above, signal);
    const prefix = group.path === '/' ? '/' : `${group.path}/`;
    for (const [name, variable] of dataset.variables) {
      await pause();
      if (!isVariable(variable)) throw variable;
      if (variable.array.path !== prefix + name) continue;
      if ((left.arrays -= 1) < 0) throw tooMany();
      const path = variable.array.path.slice(1);
      const isAlong = along !== undefined && variable.storedDimensions.includes(along);
      arrays.set(path, factsOf(variable, intern, isAlong ? await datesOf(variable, signal) : undefined));
      if (!isAlong) variables.set(path, variable);
      if (variable.name === along && variable.isIndex) labels.set(path, await labelsOf(variable, signal));
    }
    for (const path of dataset.groups) await visit(await recording.group(path, { signal }), dataset);
  }

  await visit(root, undefined);
  return {
    member,
    hierarchy: openMemberHierarchy(member.store, member, engine),
    state: recorded.state,
    ...{ format, groups, arrays, labels },
    digest(path) {
      const known = digests.get(path);
      if (known !== undefined) return known;
      const variable = variables.get(path);
      if (variable === undefined) throw new TypeError(`no array "${path}"`);
      const digest = digestOf(variable, signal);
      digests.set(path, digest);
      // The arrays are not needed any more, and a thousand members have many.
      variables.delete(path);
      return digest;
    },
  };
}

/** Maximum number of arrays of all members together. */
export const MAX_ARRAYS = 400_000;

function tooMany(): LimitError {
  return new LimitError(`the stores to combine have more than ${MAX_ARRAYS} arrays`, {
    excess: [{ limit: 'arrays', allowed: MAX_ARRAYS, needed: MAX_ARRAYS + 1 }],
  });
}

function factsOf(
  variable: Variable,
  intern: (text: string) => string,
  dates: MemberArray['dates'],
): MemberArray {
  const { array, context } = variable;
  const { meta } = array;
  const shown = (value: JsonObject[string] | undefined): string => intern(printJson(value ?? null));
  const encoding = new Map(
    decodingAttributes.flatMap((name) => {
      const value = context.attributes[name];
      return value === undefined ? [] : [[name, shown(value)] as const];
    }),
  );
  // In format 2, the fill value of the array marks missing values.
  if (meta.zarrFormat < 3) encoding.set('fill_value', shown(meta.fillJson));
  return {
    path: array.path.slice(1),
    dims: variable.storedDimensions,
    shape: array.shape,
    objectShape: meta.grid.dims.map(({ longest }) => longest),
    chunkShape: array.chunkShape,
    objectCounts: meta.grid.dims.every(({ runs }) => runs === undefined)
      ? undefined
      : meta.grid.dims.map(({ chunks }) => chunks),
    keys: meta.keys,
    format: meta.zarrFormat === 3 ? 3 : 2,
    documents: intern(printJson(meta.documents)),
    form: intern(formOf(array)),
    dtype: intern(JSON.stringify(meta.dtype)),
    widened: widenedOf(meta),
    dtypeName: meta.dtypeName,
    itemSize: meta.dtype.itemSize,
    isText: meta.dtype.name === 'string' ? true : meta.dtype.itemSize === null ? undefined : false,
    encoding,
    dates,
  };
}

function widenedOf({ storedType, zarrFormat, dtype, fill }: ZarrArray['meta']): JsonObject | undefined {
  if (storedType === undefined) return undefined;
  if (zarrFormat === 3) return { data_type: dataTypeJson(dtype), fill_value: printFillV3(fill, dtype) };
  const name = numpyTypestr(dtype);
  // Long doubles have no other fill value than zero, which is the same in both types.
  return name === undefined ? undefined : { dtype: name };
}

/** Number of dates that are read to determine how floats are rounded, as when a dataset is opened. */
const MAX_DATES = 2 ** 18;

async function datesOf(variable: Variable, signal: AbortSignal): Promise<MemberArray['dates']> {
  const planned = variable.decoding();
  if (planned.times === undefined) return undefined;
  const isRounded =
    planned.refine !== undefined &&
    variable.array.meta.dtype.name.startsWith('float') &&
    sizeOf(variable.storedShape) <= MAX_DATES;
  const decoding = isRounded && planned.refine !== undefined ? await variable.inTurns(planned.refine(await variable.stored.read({ signal }))) : planned; // prettier-ignore
  return { decoding, calendar: planned.times.calendar };
}

/** What an object of the array looks like. */
function formOf({ meta }: ZarrArray): string {
  const documents = Object.entries(meta.documents).flatMap(([name, document]): JsonObject[string][] => {
    if (name === '.zattrs' || !isJsonObject(document)) return [];
    const { shape: _shape, attributes: _attributes, ...rest } = document;
    return [name, rest];
  });
  return printJson([...documents, meta.netcdfShuffle]);
}

/** The documents of a node from their text. */
export function documentsOf(text: string): Documents {
  const documents = parseJsonText(text);
  if (!isJsonObject(documents)) throw new TypeError('documents are an object');
  return documents;
}

async function labelsOf(variable: Variable, signal: AbortSignal): Promise<LabelFacts> {
  const stored = await variable.stored.read({ signal });
  const planned = variable.decoding();
  const decoding = planned.refine === undefined ? planned : await variable.inTurns(planned.refine(stored));
  const keys = await variable.inTurns(labelKeys(stored, decoding));
  const direction = await variable.inTurns(orderOf(keys));
  const last = keys.size - 1;
  const isSmall = 'bytes' in stored && stored.bytes.length <= MAX_HELD_LABELS;
  return {
    count: keys.size,
    first: comparable(keys, decoding, 0),
    last: comparable(keys, decoding, last),
    shown: keys.size === 0 ? ['', ''] : [explained(keys, 0), explained(keys, last)],
    direction,
    kind: decoding.times === undefined ? keys.form : `dates of ${decoding.times.calendar}`,
    stored: isSmall ? stored : undefined,
  };
}

const NANOSECONDS = { s: 10n ** 9n, ms: 10n ** 6n, us: 1000n, ns: 1n };

/** Dates in nanoseconds, so that members with different units can be compared. */
function comparable(keys: LabelKeys, { times }: VariableDecoding, i: number): LabelKey | undefined {
  const key = i < 0 || i >= keys.size ? undefined : keys.at(i);
  return typeof key === 'bigint' && times !== undefined ? key * NANOSECONDS[times.tick] : key;
}

async function digestOf(variable: Variable, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const pause = createPause(signal);
  // Blocks end elsewhere if chunks have another shape, so their ends are no part of the digest.
  for await (const { block } of variable.array.select().stream({ signal, keepChunks: false })) {
    if ('bytes' in block) hash.update(block.bytes);
    else
      for (const i of block.items.lengths.keys()) {
        const contents = contentsAt(block.items, i);
        hash.update(contents === null ? 'null;' : `${contents.length};`);
        if (contents !== null) hash.update(contents);
        await pause();
      }
  }
  return hash.digest('base64url');
}
