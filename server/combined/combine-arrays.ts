/** Combines the arrays of members: compares what must be equal, and decides where the objects of each array are. */
import { defined } from '../../wire/guards.js';
import { type Block, createPause, MetadataError, UnsupportedError } from '../zarr/index.js';
import {
  type ArraySource,
  type CombinedArray,
  dateDocuments,
  type CommonDates,
  type Part,
  plainDocuments,
  plainKeys,
  withShape,
} from './combined-array.js';
import { type MemberArray, documentsOf, MAX_HELD_LABELS, type MemberFacts } from './member-facts.js';
import { assertOrdered, orderMembers, refusal } from './order-members.js';

export interface CombineOptions {
  /** Whether values that must be equal are compared, and not only their metadata. */
  readonly comparesValues: boolean;
  readonly signal: AbortSignal;
}

export interface CombinedArrays {
  /** The members that arrays refer to by position. */
  readonly members: readonly MemberFacts[];
  readonly format: 2 | 3;
  /** Documents of the groups as text, by path. */
  readonly groups: ReadonlyMap<string, string>;
  readonly arrays: readonly CombinedArray[];
}

/**
 * Joins members along a dimension, in the order of their labels.
 * @throws MetadataError naming the members that differ; UnsupportedError; errors from reading values
 */
export async function concatenate(
  facts: readonly MemberFacts[],
  along: string,
  options: CombineOptions,
): Promise<CombinedArrays> {
  const refuse = (problem: string): MetadataError => refusal(along, problem);
  const ordered = orderMembers(along, facts);
  // Members without labels contribute nothing, but must not contradict the others.
  const hasLabels = new Set(ordered.map(({ member }) => member));
  const members = [...ordered, ...facts.filter(({ member }) => !hasLabels.has(member))];
  const first = defined(members[0]);
  const count = Math.max(1, ordered.length);
  const pause = createPause(options.signal);
  for (const other of members.slice(1)) {
    assertSameFormat(first, other, refuse);
    assertSameNodes(first, other, refuse);
    await pause();
  }
  for (const path of first.labels.keys()) assertOrdered(along, ordered, path);
  const arrays: CombinedArray[] = [];
  for (const [path, array] of first.arrays) {
    const lists = members.map((one) => defined(one.arrays.get(path)));
    const axis = array.dims.indexOf(along);
    if (axis !== array.dims.lastIndexOf(along)) throw refuse(`"/${path}" has this dimension more than once`);
    for (const [m, other] of lists.entries()) {
      await pause();
      if (m > 0) assertSameArray([first, array], [defined(members[m]), other], axis, refuse);
    }
    if (axis < 0) {
      if (options.comparesValues) await assertSameValues(members, path, refuse);
      arrays.push(wholeArray(array, 0));
    } else arrays.push(await joined(array, axis, members.slice(0, count), refuse));
  }
  return { members, format: first.format, groups: first.groups, arrays };
}

/**
 * Joins the variables of members. Variables of the same path must be equal.
 * @throws MetadataError naming the members that differ; errors from reading values
 */
export async function merge(facts: readonly MemberFacts[], options: CombineOptions): Promise<CombinedArrays> {
  const refuse = (problem: string): MetadataError =>
    new MetadataError(`the stores cannot be merged: ${problem}`);
  const first = defined(facts[0]);
  const pause = createPause(options.signal);
  const groups = new Map<string, string>();
  const sources = new Map<string, number[]>();
  const sizes = new Map<string, { readonly size: number; readonly of: string }>();
  for (const [m, one] of facts.entries()) {
    assertSameFormat(first, one, refuse);
    for (const [path, documents] of one.groups) if (!groups.has(path)) groups.set(path, documents);
    for (const [path, array] of one.arrays) {
      await pause();
      sources.set(path, [...(sources.get(path) ?? []), m]);
      const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
      for (const [d, name] of array.dims.entries()) {
        const size = defined(array.shape[d]);
        const key = JSON.stringify([folder, name]);
        const known = sizes.get(key) ?? { size, of: one.member.name };
        sizes.set(key, known);
        if (known.size !== size)
          throw refuse(`the dimension "${name}" has ${known.size} elements in "${known.of}" and ${size} in "${one.member.name}"`); // prettier-ignore
      }
    }
  }
  const arrays: CombinedArray[] = [];
  for (const [path, owners] of sources) {
    if (groups.has(path)) throw refuse(`"/${path}" is an array in one store and a group in another`);
    const members = owners.map((m) => defined(facts[m]));
    const owner = defined(members[0]);
    const array = defined(owner.arrays.get(path));
    for (const other of members.slice(1))
      assertSameArray([owner, array], [other, defined(other.arrays.get(path))], -1, refuse);
    if (options.comparesValues) await assertSameValues(members, path, refuse);
    arrays.push(wholeArray(array, defined(owners[0])));
  }
  return { members: facts, format: first.format, groups, arrays };
}

type Refuse = (problem: string) => MetadataError;
type Owned = readonly [MemberFacts, MemberArray];

const nameOf = ({ member }: MemberFacts): string => `"${member.name}"`;

function assertSameFormat(a: MemberFacts, b: MemberFacts, refuse: Refuse): void {
  if (a.format !== b.format)
    throw refuse(`${nameOf(a)} has Zarr format ${a.format}, ${nameOf(b)} format ${b.format}`);
}

function assertSameNodes(a: MemberFacts, b: MemberFacts, refuse: Refuse): void {
  for (const [one, other] of [[a, b], [b, a]] as const) // prettier-ignore
    for (const kind of ['arrays', 'groups'] as const)
      for (const path of one[kind].keys())
        if (!other[kind].has(path))
          throw refuse(`${nameOf(other)} lacks the ${kind === 'arrays' ? 'array' : 'group'} "/${path}" of ${nameOf(one)}`); // prettier-ignore
}

/** @param axis the dimension whose sizes may differ; -1 for none */
function assertSameArray([a, x]: Owned, [b, y]: Owned, axis: number, refuse: Refuse): void {
  const differs = (what: string, one: unknown, other: unknown): MetadataError =>
    refuse(`"/${x.path}" has ${what} ${String(one)} in ${nameOf(a)} and ${String(other)} in ${nameOf(b)}`);
  if (x.dims.join('\0') !== y.dims.join('\0'))
    throw differs('the dimensions', `(${x.dims.join(', ')})`, `(${y.dims.join(', ')})`);
  for (const [d, size] of x.shape.entries())
    if (d !== axis && size !== y.shape[d]) throw differs(`along "${x.dims[d]}" the size`, size, y.shape[d]);
  // Dates are converted.
  if (axis >= 0 && x.dates !== undefined && y.dates !== undefined) {
    if (x.dates.calendar === y.dates.calendar) return;
    throw differs('dates in the calendar', x.dates.calendar, y.dates.calendar);
  }
  if (x.dtype !== y.dtype) throw differs('the data type', x.dtypeName, y.dtypeName);
  for (const name of new Set([...x.encoding.keys(), ...y.encoding.keys()])) {
    const [one, other] = [x.encoding.get(name), y.encoding.get(name)];
    if (one !== other) throw differs(`"${name}"`, one ?? 'no value', other ?? 'no value');
  }
}

/** Digests of these many members are computed together. */
const COMPARED_TOGETHER = 8;

async function assertSameValues(
  members: readonly MemberFacts[],
  path: string,
  refuse: Refuse,
): Promise<void> {
  const [first] = members;
  if (first === undefined || members.length < 2) return;
  const expected = await first.digest(path);
  for (let start = 1; start < members.length; start += COMPARED_TOGETHER) {
    const some = members.slice(start, start + COMPARED_TOGETHER);
    const digests = await Promise.all(some.map((one) => one.digest(path)));
    const other = some[digests.findIndex((digest) => digest !== expected)];
    if (other !== undefined)
      throw refuse(`the values of "/${path}" differ between ${nameOf(first)} and ${nameOf(other)}`);
  }
}

function wholeArray(
  { path, shape, objectShape, objectCounts, keys, documents }: MemberArray,
  member: number,
): CombinedArray {
  return {
    path,
    shape,
    objectShape,
    counts: objectCounts,
    keys,
    documents: documentsOf(documents),
    source: { kind: 'member', member },
  };
}

async function joined(
  array: MemberArray,
  axis: number,
  members: readonly MemberFacts[],
  refuse: Refuse,
): Promise<CombinedArray> {
  const { path } = array;
  const lists = members.map((one) => defined(one.arrays.get(path)));
  const sizes = lists.map(({ shape }) => defined(shape[axis]));
  const shape = array.shape.map((size, d) => (d === axis ? sizes.reduce((sum, one) => sum + one, 0) : size));
  if (!Number.isSafeInteger(shape[axis])) throw refuse(`"/${path}" has more than 2^53 elements along it`);
  const dates = commonDatesOf(lists);
  const held = dates === undefined && array.dims.length === 1 ? heldBytes(members, path) : undefined;
  if (held !== undefined) {
    const objectShape = [Math.max(1, defined(shape[0]))];
    return { path, shape, objectShape, keys: plainKeys(array.format), documents: plainDocuments(array, shape, objectShape), source: { kind: 'held', bytes: held } }; // prettier-ignore
  }
  const objectSize = defined(array.objectShape[axis]);
  const isAligned =
    dates === undefined &&
    lists.every(({ form, objectCounts }) => form === array.form && objectCounts === undefined) &&
    sizes.slice(0, -1).every((size) => size % objectSize === 0);
  if (isAligned) {
    const parts = partsOf(sizes.map((size) => Math.ceil(size / objectSize)));
    const source: ArraySource = { kind: 'objects', axis, parts };
    return { path, shape, objectShape: array.objectShape, keys: array.keys, documents: withShape(documentsOf(array.documents), shape), source }; // prettier-ignore
  }
  assertPlain(array, refuse);
  const objectShape = computedShape(array, axis, sizes);
  const consumed = new Set(lists.flatMap((one) => Object.keys(one.dates?.decoding.encoding ?? {})));
  return {
    path,
    shape,
    objectShape,
    keys: plainKeys(array.format),
    documents:
      dates === undefined
        ? plainDocuments(array, shape, objectShape)
        : dateDocuments(array, shape, objectShape, dates, consumed),
    source: { kind: 'values', axis, parts: partsOf(sizes), dates, itemSize: array.widened === undefined ? (array.itemSize ?? undefined) : undefined }, // prettier-ignore
  };
}

/** Size of a computed chunk above which it is shortened along the dimension. */
const COMPUTED_BYTES = 16 * 2 ** 20;
/** Assumed size of a text. */
const TEXT_BYTES = 32;

/** The shape of computed chunks: that of the first member, but a chunk may be longer than its array, and shared by none. */
function computedShape(
  { chunkShape, shape, itemSize }: MemberArray,
  axis: number,
  sizes: readonly number[],
): number[] {
  const longest = sizes.reduce((most, size) => Math.max(most, size), 1);
  const own = chunkShape.map((length, d) =>
    Math.max(1, Math.min(length, d === axis ? longest : defined(shape[d]))),
  );
  const others = own.reduce(
    (product, length, d) => (d === axis ? product : product * length),
    itemSize ?? TEXT_BYTES,
  );
  return own.map((length, d) => (d === axis ? Math.max(1, Math.min(length, Math.floor(COMPUTED_BYTES / others))) : length)); // prettier-ignore
}

function partsOf(sizes: readonly number[]): Part[] {
  let stop = 0;
  return sizes.flatMap((size, member) => {
    const start = stop;
    stop += size;
    return size === 0 ? [] : [{ member, start, stop }];
  });
}

/** Chunks that do not align are computed as plain values. */
function assertPlain({ path, isText }: MemberArray, refuse: Refuse): void {
  if (isText !== undefined) return;
  throw new UnsupportedError(
    refuse(`"/${path}" has elements of variable length, which requires equal chunks and lengths that are multiples of them`).detail, // prettier-ignore
  );
}

/** Undefined if dates have the same form in all members, or there are none. */
function commonDatesOf(lists: readonly MemberArray[]): CommonDates | undefined {
  const [first, ...others] = lists;
  if (first?.dates === undefined) return undefined;
  const textOf = ({ dtype, encoding }: MemberArray): string =>
    JSON.stringify([dtype, [...encoding].toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  const form = textOf(first);
  if (others.every((other) => textOf(other) === form)) return undefined;
  const ticks = lists.map(({ dates }) => defined(defined(dates).decoding.times).tick);
  const tick = (['ns', 'us', 'ms'] as const).find((one) => ticks.includes(one)) ?? 's';
  return { tick, calendar: first.dates.calendar };
}

/** The labels of all members, if they are held in memory and have the same form. */
function heldBytes(members: readonly MemberFacts[], path: string): Uint8Array | undefined {
  const blocks: Extract<Block, { bytes: Uint8Array }>[] = [];
  let total = 0;
  for (const { labels } of members) {
    const stored = labels.get(path)?.stored;
    if (stored === undefined || !('bytes' in stored)) return undefined;
    total += stored.bytes.length;
    if (total > MAX_HELD_LABELS) return undefined;
    blocks.push(stored);
  }
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const block of blocks) {
    bytes.set(block.bytes, at);
    at += block.bytes.length;
  }
  return bytes;
}
