/** A coordinate ready to be searched, and the search itself: from labels to positions, or to an error that helps. */
import { type DimSelection, LimitError, nearest, SelectionError } from '../../zarr/index.js';
import { dimSelectionOf } from '../positions.js';
import type { LabelKey, LabelKeys, LabelSpan } from './label-keys.js';
import {
  distance,
  keysAt,
  type LabelOrder,
  neighbours,
  orderOf,
  type SortedKeys,
  sortedRun,
  sortKeys,
} from './label-search.js';
import type { LabelDim, LabelMethod } from './label-selection.js';

export class LabelIndex {
  readonly order: LabelOrder;
  #sorted: SortedKeys | undefined;

  /** @param name of the dimension */
  constructor(
    readonly name: string,
    readonly keys: LabelKeys,
  ) {
    this.order = orderOf(keys);
  }

  get size(): number {
    return this.keys.size;
  }

  /** The labels at some of the positions, in that order. */
  at(size: number, positionOf: (i: number) => number): LabelIndex {
    return new LabelIndex(this.name, keysAt(this.keys, size, positionOf));
  }

  /**
   * The positions that labels choose, as a selection by position.
   * @throws SelectionError where a label is not there, is there more than once, or is none
   */
  find(by: LabelDim): DimSelection {
    switch (by.kind) {
      case 'at':
        return { kind: 'index', index: this.#findOne(by.value, by.method, by.tolerance) };
      case 'values':
        return { kind: 'indices', indices: this.#findAll(by.values) };
      case 'between':
        return this.#findBetween(by.from, by.to, by.step);
    }
  }

  #findOne(label: unknown, method: LabelMethod, tolerance: number | undefined): number {
    if (method === 'EXACT' && tolerance !== undefined)
      throw new SelectionError('"tolerance" goes with the methods NEAREST, PAD and BACKFILL only');
    const found =
      method === 'EXACT'
        ? this.#findExact(label)
        : this.#findBy(this.#span(label).first, method, tolerance, label);
    const [position] = found;
    if (position === undefined || found.length > 1)
      throw new SelectionError(
        `${found.length} labels along "${this.name}" match ${shown(label)}, but "at" takes one: ${this.#showAll(found)}; ` +
          'take all of them with "values" or "between"',
      );
    return position;
  }

  #findAll(labels: readonly unknown[]): number[] {
    const found: number[] = [];
    for (const label of labels) {
      for (const position of this.#findExact(label)) found.push(position);
      if (found.length > MAX_POSITIONS)
        throw new LimitError(
          `these labels stand for more than ${MAX_POSITIONS} places along "${this.name}"; use "between"`,
          { excess: [{ limit: 'positions', allowed: MAX_POSITIONS, needed: found.length }] },
        );
    }
    return found;
  }

  /** All positions with this label, or within this date; at least one. */
  #findExact(label: unknown): readonly number[] {
    const span = this.#span(label);
    const found = this.#positionsIn(span);
    if (found.length === 0) throw new SelectionError(this.#missing(label, span));
    return found;
  }

  #positionsIn(span: LabelSpan): readonly number[] {
    if (this.order !== 'unsorted') return runOf(sortedRun(this.keys, this.order, span));
    const { keys, positions } = this.#inOrder();
    const { start, stop } = sortedRun(keys, 'ascending', span);
    return positions.slice(start, stop).sort((a, b) => a - b);
  }

  #inOrder(): SortedKeys {
    return (this.#sorted ??= sortKeys(this.keys));
  }

  #findBy(
    key: LabelKey,
    method: LabelMethod,
    tolerance: number | undefined,
    label: unknown,
  ): readonly number[] {
    if (this.order === 'unsorted')
      throw new SelectionError(
        `the coordinate "${this.name}" is not sorted, so that ${method} has no meaning along it; use EXACT, or select by position`,
      );
    const { below, above } = neighbours(this.keys, this.order, key);
    const [before, after] = this.order === 'ascending' ? [below, above] : [above, below];
    const position =
      method === 'PAD' ? before : method === 'BACKFILL' ? after : this.#nearer(key, below, above);
    const chosen = position === undefined ? undefined : this.keys.at(position);
    if (chosen === undefined || !this.#isWithin(chosen, key, tolerance))
      throw new SelectionError(this.#missing(label, { first: key, last: key }, method, tolerance));
    return this.#positionsIn({ first: chosen, last: chosen });
  }

  /** Of two labels as near as each other the greater one, as pandas decides it. */
  #nearer(key: LabelKey, below: number | undefined, above: number | undefined): number | undefined {
    if (below === undefined || above === undefined || below === above) return below ?? above;
    const [low, high] = [this.keys.at(below), this.keys.at(above)];
    const toLow = low === undefined ? undefined : distance(low, key);
    const toHigh = high === undefined ? undefined : distance(high, key);
    if (toLow === undefined || toHigh === undefined)
      throw new SelectionError(
        `labels along "${this.name}" are ${this.keys.form}: there is no NEAREST among them; use EXACT, PAD or BACKFILL`,
      );
    return toLow < toHigh ? below : above;
  }

  #isWithin(chosen: LabelKey, key: LabelKey, tolerance: number | undefined): boolean {
    if (tolerance === undefined) return true;
    const reach = this.keys.reach(tolerance);
    const apart = distance(chosen, key);
    if (!(tolerance >= 0) || reach === undefined || apart === undefined)
      throw new SelectionError(
        tolerance >= 0
          ? `labels along "${this.name}" are ${this.keys.form}: they have no distances for a tolerance`
          : `the tolerance ${tolerance} is no distance; it must be 0 or more`,
      );
    return apart <= reach;
  }

  #findBetween(from: unknown, to: unknown, step: number): DimSelection {
    if (this.order === 'unsorted')
      throw new SelectionError(
        `the coordinate "${this.name}" is not sorted, so that nothing lies "between" along it; use "values", or select by position`,
      );
    if (!Number.isSafeInteger(step) || step === 0)
      throw new SelectionError(
        `the step along "${this.name}" is ${step}; it must be an integer other than 0`,
      );
    const { start, stop } = sortedRun(this.keys, this.order, spanBetween(this.#end(from), this.#end(to)));
    const places = Math.max(0, stop - start);
    const count = Math.ceil(places / Math.abs(step));
    return dimSelectionOf({
      kind: 'range',
      start: step > 0 || count === 0 ? start : stop - 1,
      step,
      count,
      dropped: false,
    });
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

  #missing(label: unknown, span: LabelSpan, method?: LabelMethod, tolerance?: number): string {
    const within = tolerance === undefined ? '' : ` within ${tolerance}`;
    const how = method === undefined ? '' : ` by ${method}${within}`;
    return `there is no label ${shown(label)} along "${this.name}"${how}: ${this.#extent()}${this.#nearNote(span, method)}`;
  }

  /** What labels there are. */
  #extent(): string {
    const { keys, positions } =
      this.order === 'unsorted' ? this.#inOrder() : { keys: this.keys, positions: [] };
    const last = keys.size - 1;
    if (last < 0) return 'it has no labels';
    const count = `${this.size} ${this.size === 1 ? 'label' : 'labels'}`;
    const order = positions.length > 0 ? 'unsorted' : this.order;
    return `it has ${count} from ${keys.show(0)} to ${keys.show(last)}, ${order}`;
  }

  #nearNote({ first }: LabelSpan, method: LabelMethod | undefined): string {
    const near = typeof first === 'string' ? this.#nearTexts(first) : this.#nearNumbers(first);
    if (near.length === 0) return '';
    const advice =
      method === undefined && typeof first !== 'string' ? '; the method NEAREST takes the nearest' : '';
    return `; the nearest are ${near.join(' and ')}${advice}`;
  }

  #nearTexts(text: string): string[] {
    const texts: string[] = [];
    for (let i = 0; i < Math.min(this.size, MAX_COMPARED); i++) {
      const key = this.keys.at(i);
      if (typeof key === 'string') texts.push(key);
    }
    return nearest(text, texts).map((one) => JSON.stringify(one));
  }

  #nearNumbers(key: LabelKey): string[] {
    const { keys, order } =
      this.order === 'unsorted'
        ? { keys: this.#inOrder().keys, order: 'ascending' as const }
        : { keys: this.keys, order: this.order };
    const { below, above } = neighbours(keys, order, key);
    return [...new Set([below, above])].flatMap((i) => (i === undefined ? [] : [keys.show(i)]));
  }

  #showAll(positions: readonly number[]): string {
    const some = positions.slice(0, MAX_SHOWN).map((i) => `${this.keys.show(i)} at ${i}`);
    return some.join(', ') + (positions.length > MAX_SHOWN ? ', ...' : '');
  }
}

/** Of a list of labels: a date in it may stand for many. */
const MAX_POSITIONS = 2 ** 22;
const MAX_SHOWN = 5;
const MAX_COMPARED = 1000;

function runOf({ start, stop }: { readonly start: number; readonly stop: number }): number[] {
  return Array.from({ length: Math.max(0, stop - start) }, (_, i) => start + i);
}

/** From the smaller of both to the greater, whichever is given first. */
function spanBetween(from: LabelSpan | undefined, to: LabelSpan | undefined): Partial<LabelSpan> {
  if (from === undefined) return to === undefined ? {} : { last: to.last };
  if (to === undefined) return { first: from.first };
  return {
    first: from.first < to.first ? from.first : to.first,
    last: from.last > to.last ? from.last : to.last,
  };
}

function shown(label: unknown): string {
  return typeof label === 'bigint' ? String(label) : (JSON.stringify(label)?.slice(0, 100) ?? 'undefined');
}
