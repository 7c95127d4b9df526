/**
 * Aligns the operands of an expression by the names and labels of their dimensions, as xarray's arithmetic: positions
 * whose labels all operands have, in the order of the first one (inner join). Results of groups are repeated for the
 * members of each group.
 */
import { defined } from '../../../wire/guards.js';
import type { GroupingRequest } from '../../dataset/grouping/grouping.js';
import { MadeLabels } from '../../dataset/grouping/made-labels.js';
import { heldLabels } from '../../dataset/labels/held-labels.js';
import { resolveGrouping, resolveListedGrouping } from '../../dataset/grouping/resolve-grouping.js';
import { type LabelKey, type LabelKeys, labelKeys } from '../../dataset/labels/label-keys.js';
import { labelsAlong, type LabelsAlong } from '../../dataset/labels/labels-along.js';
import { nanosecondsOf } from '../../dataset/calendar/parse-time-units.js';
import type { TimeAxis } from '../../dataset/decode/decoding.js';
import {
  type CombinedInput,
  type DimSelection,
  type FrameDim,
  holdSlice,
  InputError,
  inTurns,
  isPointwise,
  type KnownValues,
  type LazySlice,
  PositionList,
  NAT,
  SelectionError,
  UnsupportedError,
} from '../../zarr/index.js';
import type { OperationScope } from '../operations/operation.js';

/** A variable of the dataset, or the result of operations. */
export interface NamedOperand {
  readonly name: string;
  readonly slice: LazySlice;
  readonly scope: OperationScope;
  /** Whether it is a variable of the dataset of the expression, whose labels describe the result. */
  readonly isVariable: boolean;
  /** How results of groups were grouped. */
  readonly groupings: readonly GroupingRequest[];
}

export interface AlignedOperands {
  readonly inputs: readonly CombinedInput[];
  readonly along: readonly FrameDim[];
  readonly shape: readonly number[];
  /** The labels by which operands were aligned. */
  readonly known: readonly KnownValues[];
}

/** @throws SelectionError, InputError for dimensions that do not match; errors from reading coordinates */
export async function alignOperands(operands: readonly NamedOperand[]): Promise<AlignedOperands> {
  for (const operand of operands) assertNames(operand);
  const known: KnownValues[] = [];
  const repeated = await Promise.all(operands.map((operand) => repeatedGroups(operand, operands)));
  const names = [...new Set(operands.flatMap(({ slice }, k) => slice.dims.map(({ name }) => targetOf(name, repeated[k])?.dim ?? name ?? '')))]; // prettier-ignore
  const parts = operands.map(({ slice }) => slice);
  const dims = new Map<string, FrameDim>();
  for (const name of names) {
    const joined = await joinAlong(name, operands, known);
    for (const [k, selection] of joined.selections)
      parts[k] = selectNamed(defined(parts[k]), name, selection);
    dims.set(name, joined.dim(parts));
  }
  const inputs: CombinedInput[] = [];
  for (const [k, operand] of operands.entries()) {
    const slice = defined(parts[k]);
    const target = repeated[k]?.[0];
    const axes = slice.dims.map(({ name }) => names.indexOf(targetOf(name, repeated[k])?.dim ?? name ?? ''));
    if (target === undefined) {
      const isHeld = !operand.isVariable && !isPointwise(slice);
      inputs.push({ slice: isHeld ? holdSlice(slice) : slice, axes });
      continue;
    }
    const leader = operands.findIndex(({ slice: other }) =>
      other.dims.some(({ name }) => name === target.dim),
    );
    const of = await groupOfEach(target, { ...operand, slice }, { ...defined(operands[leader]), slice: defined(parts[leader]) }, known); // prettier-ignore
    inputs.push({ slice: holdSlice(slice, { axis: axisNamed(slice, target.group), of }), axes });
  }
  const along = names.map((name) => defined(dims.get(name)));
  const shape = names.map((_, axis) => sizeAlong(inputs, axis));
  return { inputs, along, shape, known };
}

function sizeAlong(inputs: readonly CombinedInput[], axis: number): number {
  for (const { slice, axes } of inputs) {
    const d = axes.indexOf(axis);
    if (d >= 0) return defined(slice.shape[d]);
  }
  throw new TypeError('no operand has this dimension');
}

function assertNames({ name, slice: { dims } }: NamedOperand): void {
  const names = dims.map((dim) => dim.name);
  if (names.includes(null))
    throw new UnsupportedError(`"${name}" has a dimension without a name and cannot be aligned with others`);
  if (new Set(names).size < names.length)
    throw new UnsupportedError(`"${name}" has a repeated dimension and cannot be aligned with others`);
}

/** A dimension of groups, and the dimension of other operands whose positions the groups contain. */
interface RepeatedGroups {
  readonly group: string;
  readonly dim: string;
  readonly request: GroupingRequest;
}

function targetOf(name: string | null, repeated: readonly RepeatedGroups[] = []): RepeatedGroups | undefined {
  return repeated.find(({ group }) => group === name);
}

/** At most one: the groups of the operand that others can be assigned to. */
async function repeatedGroups(
  operand: NamedOperand,
  operands: readonly NamedOperand[],
): Promise<RepeatedGroups[]> {
  const own = new Set(operand.slice.dims.map(({ name }) => name));
  for (const request of operand.groupings) {
    // Periods have the name of the grouped dimension, and are aligned by their labels.
    if ('resample' in request) continue;
    const dim =
      'part' in request ? request.part.dim : 'bins' in request ? request.bins.dim : request.values.dim;
    const leader = operands.find(({ slice }) => slice.dims.some(({ name }) => name === dim));
    if (leader === undefined || own.has(dim)) continue;
    const { map } = await resolveGrouping(leader.slice, request, leader.scope);
    const group = map.made?.labels.name;
    if (group !== undefined && own.has(group) && !hasOther(group, operand, operands))
      return [{ group, dim, request }];
  }
  return [];
}

/** Whether an operand that was not grouped in the same way has this dimension. */
function hasOther(group: string, operand: NamedOperand, operands: readonly NamedOperand[]): boolean {
  return operands.some(
    (other) =>
      other !== operand &&
      other.groupings.length === 0 &&
      other.slice.dims.some(({ name }) => name === group),
  );
}

/** The position of the group of each position of the leader; -1 for none. */
async function groupOfEach(
  { group, request }: RepeatedGroups,
  operand: NamedOperand,
  leader: NamedOperand,
  known: KnownValues[],
): Promise<Int32Array> {
  const { map, known: read } = await resolveListedGrouping(leader.slice, request, leader.scope);
  known.push(...read);
  const { labels } = map.made ?? {};
  if (!(labels instanceof MadeLabels)) throw new TypeError('groups have labels');
  const found = await labelsAlong(
    operand.slice,
    axisNamed(operand.slice, group),
    undefined,
    operand.scope,
    'inAnyOrder',
  );
  known.push(...found.known);
  const own = await inTurns(labelKeys(labels.stored, labels.decoding));
  const [keyAt, ownAt] = [comparable(found.keys, found.times), comparable(own, labels.decoding.times)];
  const positionOf = await inTurns(positionsOfKeys(keyAt, found.keys.size, ownAt, map.count));
  return inTurns(positionsOfGroups(map.of, positionOf));
}

/** For each key of the second list, its position in the first one, or -1. */
function* positionsOfKeys(
  at: KeyAt,
  size: number,
  wantedAt: KeyAt,
  count: number,
): Generator<void, Int32Array, void> {
  const positions = new Map<unknown, number>();
  for (let i = 0; i < size; i++) {
    positions.set(at(i), i);
    if (i % STEP === STEP - 1) yield;
  }
  const found = new Int32Array(count).fill(-1);
  for (let i = 0; i < count; i++) {
    const key = wantedAt(i);
    if (key !== undefined) found[i] = positions.get(key) ?? -1;
    if (i % STEP === STEP - 1) yield;
  }
  return found;
}

function* positionsOfGroups(of: Int32Array, positionOf: Int32Array): Generator<void, Int32Array, void> {
  const positions = new Int32Array(of.length);
  for (let i = 0; i < of.length; i++) {
    positions[i] = positionOf[of[i] ?? -1] ?? -1;
    if (i % STEP === STEP - 1) yield;
  }
  return positions;
}

function axisNamed({ dims }: LazySlice, name: string): number {
  return dims.findIndex((dim) => dim.name === name);
}

function selectNamed(slice: LazySlice, name: string, by: DimSelection): LazySlice {
  return slice.select({ kind: 'named', named: [{ dim: name, by }] });
}

interface Joined {
  /** The selections of some operands, by their index. */
  readonly selections: ReadonlyMap<number, DimSelection>;
  /** The dimension of the result. @param parts the operands after the selections */
  readonly dim: (parts: readonly LazySlice[]) => FrameDim;
}

interface Member {
  readonly k: number;
  readonly size: number;
  readonly labels: LabelsAlong | undefined;
}

async function joinAlong(
  name: string,
  operands: readonly NamedOperand[],
  known: KnownValues[],
): Promise<Joined> {
  const members: Member[] = [];
  const withDim = operands.flatMap((operand, k) =>
    axisNamed(operand.slice, name) < 0 ? [] : [{ operand, k }],
  );
  const isShared = withDim.every(({ operand }) => operand.isVariable);
  let shared: Member | undefined;
  for (const { operand, k } of withDim) {
    const size = defined(operand.slice.shape[axisNamed(operand.slice, name)]);
    // All variables of the dataset have the same labels.
    if (operand.isVariable && shared?.size === size) members.push({ ...shared, k });
    else {
      const labels = isShared ? undefined : await labelsOf(operand, name);
      known.push(...(labels?.known ?? []));
      members.push({ k, size, labels });
      if (operand.isVariable) shared = members.at(-1);
    }
  }
  const [first] = members;
  if (first === undefined) throw new TypeError('no operand has this dimension');
  const selections = await joinedPositions(name, members, operands);
  const isVariable = operands[first.k]?.isVariable === true;
  const made = isVariable || first.labels === undefined ? undefined : await madeOf(name, first.labels, selections.get(first.k)); // prettier-ignore
  return {
    selections,
    dim(parts) {
      const slice = defined(parts[first.k]);
      const axis = axisNamed(slice, name);
      const count = defined(slice.shape[axis]);
      const whole = { kind: 'range', start: 0, step: 1, count, dropped: false } as const;
      if (!isVariable) return { name, dimensionName: null, size: count, selection: whole, made };
      const { origin } = slice;
      const kept = origin.selection.kind === 'box' ? origin.selection.dims.flatMap((dim, d) => (dim.dropped ? [] : [{ dim, d }])) : []; // prettier-ignore
      const own = kept[axis];
      if (own === undefined) throw new TypeError('a variable is selected along its dimensions');
      return {
        name,
        dimensionName: name,
        size: defined(origin.shape[own.d]),
        selection: own.dim,
        made: undefined,
      };
    },
  };
}

async function labelsOf({ slice, scope }: NamedOperand, name: string): Promise<LabelsAlong | undefined> {
  try {
    return await labelsAlong(slice, axisNamed(slice, name), undefined, scope, 'inAnyOrder');
  } catch (error) {
    // Without a coordinate, positions are compared.
    if (error instanceof SelectionError) return undefined;
    throw error;
  }
}

/** @throws SelectionError if no label is common, for repeated labels, and for dimensions of different lengths without labels */
async function joinedPositions(
  name: string,
  members: readonly Member[],
  operands: readonly NamedOperand[],
): Promise<ReadonlyMap<number, DimSelection>> {
  const none = new Map<number, DimSelection>();
  const [first, ...others] = members;
  if (first === undefined || others.length === 0) return none;
  const nameOf = ({ k }: Member): string => {
    const name = operands[k]?.name ?? '';
    return name.startsWith('\0') ? 'the slice' : `"${name}"`;
  };
  const labelled = members.filter(({ labels }) => labels !== undefined);
  const other = others.find(({ size }) => size !== first.size);
  if (other !== undefined && labelled.length < members.length)
    throw new InputError(
      `${nameOf(other)} has ${other.size} elements along "${name}", but ${nameOf(first)} has ${first.size}, and not both have labels to align them by`,
    );
  const lists = labelled.map(({ labels }) => defined(labels));
  const [leader, ...rest] = lists;
  if (leader === undefined) return none;
  const isEqual = await Promise.all(rest.map((list) => inTurns(areEqual(leader, list))));
  if (isEqual.every(Boolean)) return none;
  if (labelled.length < members.length)
    throw new InputError(
      `the labels along "${name}" differ, and an operand without labels cannot be aligned`,
    );
  const kinds = new Set(
    lists.map(({ keys, times }) =>
      keys.countLength !== undefined
        ? 'durations'
        : times === undefined
          ? keys.form
          : `dates of ${times.style.calendar.name}`,
    ),
  );
  if (kinds.size > 1)
    throw new SelectionError(`the labels along "${name}" are of different kinds: ${[...kinds].join(', ')}`);
  const positions = await inTurns(commonPositions(name, lists));
  if ((positions[0]?.length ?? 0) === 0 && members.every(({ size }) => size > 0))
    throw new SelectionError(`${members.map(nameOf).join(' and ')} have no label in common along "${name}"`);
  const selections = new Map<number, DimSelection>();
  for (const [m, { k }] of members.entries())
    selections.set(k, await inTurns(defined(positions[m]).selection()));
  return selections;
}

/** A comparable form of the labels: dates in nanoseconds, durations in attoseconds, for any unit. */
function comparable(keys: LabelKeys, times: TimeAxis | undefined): (i: number) => LabelKey | undefined {
  const { countLength } = keys;
  const scale = times === undefined ? 1n : BigInt(nanosecondsOf(times.tick));
  return (i) => {
    const key = keys.at(i);
    if (typeof key !== 'bigint') return Object.is(key, -0) ? 0 : key;
    if (times !== undefined) return key === NAT ? undefined : scale === 1n ? key : key * scale;
    if (countLength !== undefined) return key * countLength;
    const number = Number(key);
    return Number.isSafeInteger(number) ? number : key;
  };
}

const STEP = 4096;

function* areEqual(a: LabelsAlong, b: LabelsAlong): Generator<void, boolean, void> {
  if (a.keys.size !== b.keys.size || (a.times === undefined) !== (b.times === undefined)) return false;
  if (a.times?.style.calendar.name !== b.times?.style.calendar.name) return false;
  if (a.keys === b.keys) return true;
  const [at, other] = [comparable(a.keys, a.times), comparable(b.keys, b.times)];
  for (let i = 0; i < a.keys.size; i++) {
    if (at(i) !== other(i)) return false;
    if (i % STEP === STEP - 1) yield;
  }
  return true;
}

/** The positions of the common labels in each list, in the order of the first list. */
function* commonPositions(
  name: string,
  lists: readonly LabelsAlong[],
): Generator<void, PositionList[], void> {
  const [first, ...others] = lists;
  const [second] = others;
  if (first !== undefined && second !== undefined && others.length === 1) {
    const merged = yield* mergedPositions(
      comparable(first.keys, first.times),
      first.keys.size,
      comparable(second.keys, second.times),
      second.keys.size,
    );
    if (merged !== undefined) return merged;
  }
  const maps: Map<LabelKey, number>[] = [];
  for (const { keys, times } of lists) {
    const map = new Map<LabelKey, number>();
    const at = comparable(keys, times);
    for (let i = 0; i < keys.size; i++) {
      const key = at(i);
      if (key !== undefined && map.has(key))
        throw new SelectionError(`the labels along "${name}" differ and repeat ${keys.show(i)}; operands with repeated labels cannot be aligned`); // prettier-ignore
      if (key !== undefined) map.set(key, i);
      if (i % STEP === STEP - 1) yield;
    }
    maps.push(map);
  }
  const positions = lists.map(() => new PositionList());
  if (first === undefined) return positions;
  const at = comparable(first.keys, first.times);
  for (let i = 0; i < first.keys.size; i++) {
    if (i % STEP === STEP - 1) yield;
    const key = at(i);
    if (key === undefined) continue;
    const found = others.map((_, m) => maps[m + 1]?.get(key));
    if (found.includes(undefined)) continue;
    positions[0]?.push(i);
    found.forEach((position, m) => positions[m + 1]?.push(defined(position)));
  }
  return positions;
}

type KeyAt = (i: number) => LabelKey | undefined;

/**
 * The positions of the common labels of two ascending lists, in one pass: a map of millions of labels would
 * block the event loop while it grows.
 * @returns undefined if a list does not ascend
 */
function* mergedPositions(
  a: KeyAt,
  sizeOfA: number,
  b: KeyAt,
  sizeOfB: number,
): Generator<void, PositionList[] | undefined, void> {
  const [inA, inB] = [new PositionList(), new PositionList()];
  let [i, j] = [0, 0];
  let [own, other] = [a(0), b(0)];
  for (let step = 1; i < sizeOfA || j < sizeOfB; step++) {
    if (step % STEP === 0) yield;
    if ((i < sizeOfA && own === undefined) || (j < sizeOfB && other === undefined)) return undefined;
    const takesA = j >= sizeOfB || (i < sizeOfA && own !== undefined && other !== undefined && own <= other);
    const takesB = i >= sizeOfA || (j < sizeOfB && own !== undefined && other !== undefined && other <= own);
    if (takesA && takesB) {
      inA.push(i);
      inB.push(j);
    }
    if (takesA) {
      const next = ++i < sizeOfA ? a(i) : undefined;
      if (i < sizeOfA && !(next !== undefined && own !== undefined && next > own)) return undefined;
      own = next;
    }
    if (takesB) {
      const next = ++j < sizeOfB ? b(j) : undefined;
      if (j < sizeOfB && !(next !== undefined && other !== undefined && next > other)) return undefined;
      other = next;
    }
  }
  return [inA, inB];
}

/** The labels of a result as labels of the dimension. */
async function madeOf(
  dimension: string,
  along: LabelsAlong,
  selection: DimSelection | undefined,
): Promise<FrameDim['made']> {
  const { keys, name } = along;
  const positions = selection?.kind === 'indices' ? selection.indices : undefined;
  const start = selection?.kind === 'slice' ? (selection.start ?? 0) : 0;
  const count =
    positions?.length ?? (selection?.kind === 'slice' ? (selection.stop ?? 0) - start : keys.size);
  const labels = await heldLabels(along, count, (i) => keys.at(positions?.[i] ?? start + i));
  return name === dimension ? { labels, chosen: undefined } : { labels, chosen: undefined, points: { dimension, beside: [] } }; // prettier-ignore
}
