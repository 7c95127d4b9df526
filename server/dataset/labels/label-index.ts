/** Searches a coordinate for labels. Errors about missing labels name the nearest ones. */
import {
  type DimSelection,
  LimitError,
  type ResolvedDim,
  inTurns,
  SelectionError,
  wrapOf,
} from '../../zarr/index.js';
import { countAlong, dimSelectionOf, positionAlong } from '../positions.js';
import type { LabelDirection, LabelKey, LabelKeys, LabelSpan } from './label-keys.js';
import {
  distance,
  keysAt,
  type Matches,
  matchesWithin,
  neighbours,
  type Neighbours,
  orderOf,
  type SortedKeys,
  sortedRun,
  sortKeys,
} from './label-search.js';
import { noSuchLabel, severalLabels, type WantedLabel } from './label-errors.js';
import type { LabelDim, LabelMethod } from './label-selection.js';
import { equalTurn, type KeyOf, nearestTurn, turnsOf, wrappedRange } from './wrapped-labels.js';

/**
 * Charges lookups before they are made, in positions of a selection.
 * @throws LimitError if the request exceeds a limit
 */
export type ChargeLookUps = (positions: number) => void;

export class LabelIndex {
  readonly #lists = new WeakMap<readonly unknown[], Promise<DimSelection>>();

  /** @param sorted the keys in a searchable order; undefined if they are too many to sort */
  private constructor(
    readonly name: string,
    readonly keys: LabelKeys,
    readonly order: LabelDirection,
    private readonly sorted: SortedKeys | undefined,
  ) {}

  /**
   * Finds the order of the keys, and sorts them if necessary. Yields between pieces of work.
   * @param name name of the dimension or coordinate, for messages
   */
  static *create(name: string, keys: LabelKeys): Generator<void, LabelIndex, void> {
    const order = yield* orderOf(keys);
    if (order !== 'unsorted') return LabelIndex.#ordered(name, keys, order);
    const sorted = keys.size > MAX_TO_SORT ? undefined : yield* sortKeys(keys);
    return new LabelIndex(name, keys, order, sorted);
  }

  static #ordered(name: string, keys: LabelKeys, order: 'ascending' | 'descending'): LabelIndex {
    return new LabelIndex(name, keys, order, { keys, order, positions: undefined });
  }

  get size(): number {
    return this.keys.size;
  }

  /** Memory of the index in bytes, in addition to its keys. */
  get heldBytes(): number {
    return this.sorted?.positions?.byteLength ?? 0;
  }

  /** Upper bound on the memory, in bytes, that `create` uses for these labels. */
  static bytesToCreate({ size, form }: LabelKeys): number {
    if (size > MAX_TO_SORT) return 0;
    return size * (POSITIONS_BYTES + (form === 'text' ? TEXT_BYTES : NUMBER_BYTES));
  }

  /**
   * Like `find`, in turns. Lists are looked up once: the fields of a request can refer to one variable many times.
   * @throws errors from `find` and `charge`
   */
  async select(by: LabelDim, charge: ChargeLookUps): Promise<DimSelection> {
    if (by.kind !== 'values') return inTurns(this.find(by));
    const known = this.#lists.get(by.values);
    if (known !== undefined) return known;
    charge(by.values.length * Math.ceil(Math.log2(this.size + 1) / STEPS_PER_POSITION));
    const selecting = inTurns(this.find(by));
    this.#lists.set(by.values, selecting);
    return selecting;
  }

  /** Upper bound on the memory, in bytes, that `along` uses. */
  bytesAlong(positions: ResolvedDim): number {
    if (positions.kind === 'range' && this.order !== 'unsorted') return 0;
    return LabelIndex.bytesToCreate({ ...this.keys, size: countAlong(positions) });
  }

  /** The labels at the given positions, in that order. Yields between pieces of work. */
  *along(positions: ResolvedDim): Generator<void, LabelIndex, void> {
    const keys = keysAt(this.keys, countAlong(positions), (i) => positionAlong(positions, i));
    if (positions.kind === 'list' || this.order === 'unsorted')
      return yield* LabelIndex.create(this.name, keys);
    const reversed = this.order === 'ascending' ? 'descending' : 'ascending';
    return LabelIndex.#ordered(this.name, keys, positions.step > 0 ? this.order : reversed);
  }

  /**
   * The positions that labels select, as a selection by position. Yields between pieces of work.
   * @throws SelectionError if a label is not found, matches more than once, or is invalid; LimitError if the
   *   coordinate has too many labels to sort
   */
  *find(by: LabelDim): Generator<void, DimSelection, void> {
    switch (by.kind) {
      case 'at':
        return { kind: 'index', index: this.#findAt(by.value, by.method, by.tolerance, by.wrap) };
      case 'values': {
        const indices: number[] = [];
        for (const label of by.values) {
          indices.push(this.#findListed(label));
          if (indices.length % LOOKED_UP === 0) yield;
        }
        return { kind: 'indices', indices };
      }
      case 'between':
        return yield* this.#findBetween(by.from, by.to, by.step, by.wrap);
    }
  }

  #findAt(
    label: unknown,
    method: LabelMethod,
    tolerance: number | undefined,
    wrap: number | undefined,
  ): number {
    if (method === 'EXACT' && tolerance !== undefined)
      throw new SelectionError('"tolerance" requires method NEAREST, PAD or BACKFILL');
    if (wrap !== undefined) return this.#findWrapped(label, method, tolerance, wrap);
    const span = this.#span(label);
    if (method !== 'EXACT') return this.#findBy(method, { label, key: span.first, method, tolerance });
    return this.#only(matchesWithin(this.#inOrder(), span), { label, key: span.first, method });
  }

  /**
   * The position of one label of a list. A date such as 2001-03 matches the label at its first moment, as in
   * xarray; without such a label, it matches the only label within it.
   */
  #findListed(label: unknown): number {
    const span = this.#span(label);
    const begins = matchesWithin(this.#inOrder(), { first: span.first, last: span.first });
    const matches = begins.count > 0 ? begins : matchesWithin(this.#inOrder(), span);
    return this.#only(matches, { label, key: span.first, method: 'EXACT', isListed: true });
  }

  #only(matches: Matches, wanted: WantedLabel): number {
    const [position] = matches.some;
    if (position === undefined) throw this.#missing(wanted);
    if (matches.count === 1) return position;
    throw new SelectionError(severalLabels(this.name, this.order, this.keys, matches, wanted.label));
  }

  #findBy(method: Exclude<LabelMethod, 'EXACT'>, wanted: WantedLabel): number {
    this.#assertSorted(`${method} is not supported; use EXACT, or select by position`);
    const { key, tolerance } = wanted;
    const sorted = this.#inOrder();
    const position = this.#chosen(method, key, neighbours(sorted, key));
    const chosen = position === undefined ? undefined : this.keys.at(position);
    if (chosen === undefined || !this.#isWithin(chosen, key, tolerance)) throw this.#missing(wanted);
    return this.#only(matchesWithin(sorted, { first: chosen, last: chosen }), wanted);
  }

  /**
   * The position that a method selects. PAD and BACKFILL select the labels before and after along the
   * dimension, as in pandas.
   */
  #chosen(
    method: Exclude<LabelMethod, 'EXACT'>,
    key: LabelKey,
    { below, above }: Neighbours,
  ): number | undefined {
    if (method === 'NEAREST') return this.#nearer(key, below, above);
    return (method === 'PAD') === (this.order === 'ascending') ? below : above;
  }

  /** The nearer of two labels. If both are equally near, the greater one, as in pandas. */
  #nearer(key: LabelKey, below: number | undefined, above: number | undefined): number | undefined {
    if (distance(key, key) === undefined)
      throw new SelectionError(
        `labels along "${this.name}" are ${this.keys.form}, but NEAREST requires numbers or dates; use EXACT, PAD or BACKFILL`,
      );
    if (below === undefined || above === undefined) return below ?? above;
    const [low, high] = [this.keys.at(below) ?? key, this.keys.at(above) ?? key];
    const [toLow, toHigh] = [distance(low, key) ?? 0, distance(high, key) ?? 0];
    return toLow < toHigh ? below : above;
  }

  #isWithin(chosen: LabelKey, key: LabelKey, tolerance: number | undefined): boolean {
    if (tolerance === undefined) return true;
    if (!(tolerance >= 0))
      throw new SelectionError(`the tolerance along "${this.name}" is ${tolerance}; expected 0 or more`);
    const reach = this.keys.reach(tolerance);
    const apart = distance(chosen, key);
    if (reach === undefined || apart === undefined)
      throw new SelectionError(
        `labels along "${this.name}" are ${this.keys.form}; a tolerance requires numbers or dates`,
      );
    return apart <= reach;
  }

  /** The position of a label, compared modulo the period. */
  #findWrapped(label: unknown, method: LabelMethod, tolerance: number | undefined, wrap: number): number {
    const sorted = this.#inOrder();
    const keyOf: KeyOf = (key) => this.#span(key).first;
    const turns = turnsOf(this.name, sorted, label, wrap, keyOf);
    const wanted = { label, key: keyOf(label), method, tolerance };
    const key =
      method === 'EXACT'
        ? equalTurn(sorted, turns, label, wrap, keyOf)
        : this.#turned(nearestTurn(sorted, turns, method, this.order !== 'descending'), tolerance);
    if (key === undefined) {
      const onCircle = nearestTurn(sorted, turns, 'NEAREST', this.order !== 'descending')?.label;
      throw this.#missing({ ...wanted, onCircle });
    }
    return this.#only(matchesWithin(sorted, { first: key, last: key }), wanted);
  }

  #turned(
    nearest: { readonly label: LabelKey; readonly apart: number } | undefined,
    tolerance: number | undefined,
  ): LabelKey | undefined {
    if (tolerance !== undefined && !(tolerance >= 0))
      throw new SelectionError(`the tolerance along "${this.name}" is ${tolerance}; expected 0 or more`);
    return nearest === undefined || nearest.apart > (tolerance ?? Infinity) ? undefined : nearest.label;
  }

  *#findBetween(
    from: unknown,
    to: unknown,
    step: number,
    wrap: number | undefined,
  ): Generator<void, DimSelection, void> {
    if (wrap !== undefined) return yield* this.#findAcross(from, to, step, wrap);
    this.#assertSorted('"between" is not supported; use "values", or select by position');
    assertStep(step, this.name);
    const { start, stop } = sortedRun(this.#inOrder(), spanBetween(this.#end(from), this.#end(to)));
    const count = Math.ceil(Math.max(0, stop - start) / Math.abs(step));
    const first = step > 0 || count === 0 ? start : stop - 1;
    return dimSelectionOf({ kind: 'range', start: first, step, count, dropped: false });
  }

  /** Selects a range of wrapped labels: as a list if the positions are not equally spaced. */
  *#findAcross(
    from: unknown,
    to: unknown,
    step: number,
    wrap: number,
  ): Generator<void, DimSelection, void> {
    if (from === undefined || from === null || to === undefined || to === null)
      throw new SelectionError(`"wrap" along "${this.name}" requires both ends of the range`);
    assertStep(step, this.name);
    const found = yield* wrappedRange(this.name, this.#inOrder(), [from, to], wrap, (key) => this.#span(key).first);
    const indices = yield* everyNth(found.positions, step);
    const by = yield* commonStep(indices);
    const first = indices[0] ?? 0;
    const range = { kind: 'range', start: first, step: by ?? step, count: indices.length, dropped: false } as const;
    return by === undefined && indices.length > 1 ? { kind: 'indices', indices, ...wrapOf(found) } : dimSelectionOf({ ...range, ...wrapOf(found) });
  } // prettier-ignore

  #assertSorted(consequence: string): void {
    if (this.order === 'unsorted')
      throw new SelectionError(`the coordinate "${this.name}" is not sorted: ${consequence}`);
  }

  /** @throws LimitError for an unsorted coordinate with too many labels to sort */
  #inOrder(): SortedKeys {
    if (this.sorted !== undefined) return this.sorted;
    throw new LimitError(
      `the coordinate "${this.name}" is not sorted, and has more than ${MAX_TO_SORT} labels; select by position`,
      { excess: [{ limit: 'labels', allowed: MAX_TO_SORT, needed: this.size }] },
    );
  }

  #end(label: unknown): LabelSpan | undefined {
    return label === undefined || label === null ? undefined : this.#span(label);
  }

  #span(label: unknown): LabelSpan {
    try {
      return this.keys.span(label);
    } catch (error) {
      if (!(error instanceof SelectionError)) throw error;
      throw new SelectionError(`${error.detail} ("${this.name}" has ${this.keys.form})`, { cause: error });
    }
  }

  #missing(wanted: WantedLabel): SelectionError {
    return new SelectionError(noSuchLabel(this.name, this.order, this.size, this.#inOrder(), wanted));
  }
}

/** Every n-th position, from the end for a negative step. Yields between pieces of work. */
function* everyNth(positions: ReadonlySet<number>, step: number): Generator<void, number[], void> {
  const every = Math.abs(step);
  // Not a typed array, because links contain the selection as JSON.
  const taken = new Array<number>(Math.ceil(positions.size / every)).fill(0);
  const last = positions.size - 1;
  let i = 0;
  for (const position of positions) {
    const rank = step > 0 ? i : last - i;
    if (rank % every === 0) taken[rank / every] = position;
    if (++i % COPIED === 0) yield;
  }
  return taken;
}

/** The difference between all neighbours. Undefined if it differs, is zero, or there are no neighbours. */
function* commonStep(positions: readonly number[]): Generator<void, number | undefined, void> {
  const [first = NaN, second = NaN] = positions;
  const by = second - first;
  for (let i = 1; i < positions.length; i++) {
    if (positions[i] !== first + i * by) return undefined;
    if (i % COPIED === 0) yield;
  }
  return by === 0 || Number.isNaN(by) ? undefined : by;
}

function assertStep(step: number, name: string): void {
  if (!Number.isSafeInteger(step) || step === 0)
    throw new SelectionError(`the step along "${name}" is ${step}; expected an integer other than 0`);
}

/** Memory per label while it is sorted: two lists of positions, and its key. */
const POSITIONS_BYTES = 8;
const NUMBER_BYTES = 16;
const TEXT_BYTES = 64;

/** Number of steps of a binary search that take as long as selecting a position. */
const STEPS_PER_POSITION = 4;

/** Number of labels that are looked up between two yields. */
const LOOKED_UP = 64;

/** Number of positions that are copied or compared between two yields. */
const COPIED = 2 ** 14;

/** Maximum number of labels that a request sorts. */
const MAX_TO_SORT = 2 ** 18;

/**
 * The interval from the start of one interval to the end of the other. Swaps the two intervals if they are in
 * descending order.
 */
function spanBetween(from: LabelSpan | undefined, to: LabelSpan | undefined): Partial<LabelSpan> {
  if (from === undefined) return to === undefined ? {} : { last: to.last };
  if (to === undefined) return { first: from.first };
  return from.first <= to.last ? { first: from.first, last: to.last } : { first: to.first, last: from.last };
}
