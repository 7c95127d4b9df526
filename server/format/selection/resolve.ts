/** Validates selections against an array or another selection. Pure functions. */
import { defined } from '../../../wire/guards.js';
import { quoted } from '../../core/bytes/parse-json.js';
import { SelectionError } from '../../core/errors.js';
import { nearest } from '../../core/nearest.js';
import { chunkStart, type GridDim, lengthWithin } from '../grid.js';
import { toSelection, type SelectionInput } from './plain.js';
import {
  type DimSelection,
  type ListDim,
  type RangeDim,
  type ResolvedDim,
  type ResolvedSelection,
  wrapOf,
} from './selection.js';

/** A dimension to select from. */
export interface SelectableDim {
  readonly name: string | null;
  readonly size: number;
  /** The chunks; undefined for a part of an array, where chunks have no positions. */
  readonly chunks: GridDim | undefined;
}

/**
 * @returns one `ResolvedDim` for each of `dims`, with all positions in range
 * @throws SelectionError for an invalid selection, such as too many dimensions, an index out of range, an unknown
 * name, a mask of another length, or a step of 0
 */
export function resolveSelection(input: SelectionInput, dims: readonly SelectableDim[]): ResolvedSelection {
  const selection = toSelection(input);
  switch (selection.kind) {
    case 'all':
      return { kind: 'box', dims: dims.map(whole) };
    case 'dims':
      return { kind: 'box', dims: resolveInOrder(selection.dims, dims) };
    case 'named':
      return { kind: 'box', dims: resolveByName(selection.named, dims) };
    case 'points':
      return resolvePoints(selection.points, dims);
  }
}

function whole(dim: SelectableDim): RangeDim {
  return { kind: 'range', start: 0, step: 1, count: dim.size, dropped: false };
}

function resolveInOrder(
  parts: readonly (DimSelection | { readonly kind: 'ellipsis' })[],
  dims: readonly SelectableDim[],
): ResolvedDim[] {
  let named = 0;
  for (const part of parts) if (part.kind !== 'ellipsis') named++;
  if (named > dims.length)
    throw new SelectionError(
      `the selection has ${named} dimensions, but the array has ${dims.length}${shapeNote(dims)}`,
    );
  const resolved: ResolvedDim[] = [];
  for (const part of parts) {
    const left = dims.length - named;
    if (part.kind === 'ellipsis') {
      for (let i = 0; i < left; i++) resolved.push(whole(defined(dims[resolved.length])));
    } else {
      resolved.push(resolveDim(part, defined(dims[resolved.length]), resolved.length));
    }
  }
  while (resolved.length < dims.length) resolved.push(whole(defined(dims[resolved.length])));
  return resolved;
}

function shapeNote(dims: readonly SelectableDim[]): string {
  return dims.length === 0
    ? ' (a 0-d array has no dimension to index)'
    : ` (shape ${dims.map((dim) => dim.size).join(' x ')})`;
}

function resolveByName(
  named: readonly { readonly dim: string; readonly by: DimSelection }[],
  dims: readonly SelectableDim[],
): ResolvedDim[] {
  const resolved: ResolvedDim[] = dims.map(whole);
  const seen = new Set<number>();
  for (const { dim, by } of named) {
    const axes = dims.flatMap((candidate, d) => (candidate.name === dim ? [d] : []));
    const [d] = axes;
    if (d === undefined) throw new SelectionError(unknownName(dim, dims));
    if (axes.length > 1)
      throw new SelectionError(`several dimensions are named "${dim}"; select by position instead`);
    if (seen.has(d)) throw new SelectionError(`the dimension "${dim}" is selected twice`);
    seen.add(d);
    resolved[d] = resolveDim(by, defined(dims[d]), d);
  }
  return resolved;
}

function unknownName(name: string, dims: readonly SelectableDim[]): string {
  const names = dims.flatMap((dim) => (dim.name === null ? [] : [dim.name]));
  const unknown = `unknown dimension ${quoted(name)}`;
  if (names.length === 0) return `${unknown}: no dimension has a name; select by position`;
  const near = nearest(name, names);
  const which = near.length < names.length ? 'nearest names' : 'names';
  return `${unknown}; the ${which} are ${near.map((some) => `"${some}"`).join(', ')}`;
}

/** @param d index of the dimension, for messages */
function resolveDim(by: DimSelection, dim: SelectableDim, d: number): ResolvedDim {
  switch (by.kind) {
    case 'index':
      return {
        kind: 'range',
        start: resolveIndex(by.index, dim, d),
        step: 1,
        count: 1,
        dropped: true,
        ...wrapOf(by),
      };
    case 'slice':
      return { ...resolveSlice(by, dim.size, d), ...wrapOf(by) };
    case 'indices':
      return { kind: 'list', at: resolveIndices(by.indices, dim, d), dropped: false, ...wrapOf(by) };
    case 'mask':
      return resolveMask(by.mask, dim, d);
    case 'chunk':
      return resolveChunk(by.chunk, dim, d);
  }
}

function resolveIndices(indices: ArrayLike<number>, dim: SelectableDim, d: number): Float64Array {
  const at = new Float64Array(indices.length);
  for (let i = 0; i < at.length; i++) {
    const index = indices[i] ?? NaN;
    // Most indices are positions already, and there can be millions.
    at[i] = index > 0 && index < dim.size && index % 1 === 0 ? index : resolveIndex(index, dim, d);
  }
  return at;
}

function label(dim: SelectableDim, d: number): string {
  return dim.name === null ? `dimension ${d}` : `dimension ${d} ("${dim.name}")`;
}

function resolveIndex(index: number, dim: SelectableDim, d: number): number {
  const position = index < 0 ? index + dim.size : index;
  if (!Number.isSafeInteger(index) || position < 0 || position >= dim.size)
    throw new SelectionError(
      dim.size === 0
        ? `${indexText(index)} is out of range: ${label(dim, d)} has no elements`
        : `${indexText(index)} is out of range for ${label(dim, d)} of ${dim.size} elements (${-dim.size} to ${dim.size - 1})`,
    );
  // Converts -0 to 0, because -0 would be printed differently.
  return position + 0;
}

/**
 * The text of an index, for messages. Indices beyond 2^53 have been clipped (see `toSelection`), so messages
 * omit their digits.
 */
function indexText(index: number, noun: 'index' | 'chunk' = 'index'): string {
  if (Math.abs(index) < Number.MAX_SAFE_INTEGER) return `${noun} ${index}`;
  return index < 0 ? 'an index of -(2^53 - 1) or less' : 'an index of 2^53 - 1 or more';
}

/** Resolves a slice by Python's rules (data model, "slice.indices"). */
function resolveSlice(
  by: { readonly start?: number; readonly stop?: number; readonly step?: number },
  size: number,
  d: number,
): RangeDim {
  const step = by.step ?? 1;
  if (!Number.isSafeInteger(step) || step === 0)
    throw new SelectionError(`the step of dimension ${d} is ${step}; expected an integer other than 0`);
  const [low, high] = step > 0 ? [0, size] : [-1, size - 1];
  const clip = (bound: number | undefined, missing: number): number => {
    if (bound === undefined) return missing;
    const fromStart = bound < 0 ? bound + size : bound;
    return Math.max(low, Math.min(high, fromStart));
  };
  const start = clip(by.start, step > 0 ? low : high);
  const stop = clip(by.stop, step > 0 ? high : low);
  const count = Math.max(0, Math.ceil((stop - start) / step));
  return { kind: 'range', start: count === 0 ? 0 : start, step, count, dropped: false };
}

function resolveMask(mask: readonly boolean[], dim: SelectableDim, d: number): ListDim {
  if (mask.length !== dim.size)
    throw new SelectionError(
      `the mask for ${label(dim, d)} has ${mask.length} values; expected ${dim.size}, one for each element`,
    );
  const positions = mask.flatMap((keep, i) => (keep ? [i] : []));
  return { kind: 'list', at: Float64Array.from(positions), dropped: false };
}

function resolveChunk(chunk: number, dim: SelectableDim, d: number): RangeDim {
  const { chunks } = dim;
  if (chunks === undefined)
    throw new SelectionError(
      `chunks cannot be selected along dimension ${d}, because it is part of a slice; select by index or slice`,
    );
  const index = chunk < 0 ? chunk + chunks.chunks : chunk;
  if (!Number.isSafeInteger(chunk) || index < 0 || index >= chunks.chunks)
    throw new SelectionError(
      `${indexText(chunk, 'chunk')} is out of range: ${label(dim, d)} has ${chunks.chunks} chunks`,
    );
  const start = chunkStart(chunks, index);
  return { kind: 'range', start, step: 1, count: lengthWithin(chunks, index), dropped: false };
}

function resolvePoints(
  points: readonly (readonly number[])[],
  dims: readonly SelectableDim[],
): ResolvedSelection {
  const lists = dims.map(() => new Float64Array(points.length));
  points.forEach((point, p) => {
    if (point.length !== dims.length)
      throw new SelectionError(
        `point ${p} has ${point.length} indices; expected ${dims.length}, one for each dimension`,
      );
    point.forEach((index, d) => {
      const list = lists[d];
      if (list !== undefined) list[p] = resolveIndex(index, defined(dims[d]), d);
    });
  });
  return { kind: 'points', at: lists, count: points.length, dropped: false };
}
