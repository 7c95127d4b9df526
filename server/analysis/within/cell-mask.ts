/** The mask of cells whose latitudes and longitudes have two dimensions, such as those of ocean models and swaths. */
import { defined } from '../../../wire/guards.js';
import {
  type CellMask,
  costBeside,
  createPause,
  type DimSelection,
  inTurns,
  LimitError,
  type LazySlice,
  type PlanCost,
  type ResolvedDim,
  type ResolvedSelection,
  runToEnd,
  type SliceMask,
  throwIfAborted,
} from '../../zarr/index.js';
import type { Reserve } from '../../dataset/coordinate-reader.js';
import { countAlong, positionAlong } from '../../dataset/positions.js';
import { assertSame } from './centres.js';
import { EdgeBands } from './edge-bands.js';
import { reachOf } from './extent.js';
import type { Polygons } from './geometry.js';
import { MAX_RUNS } from './make-mask.js';

/** Coordinates of two dimensions, in C order. */
export interface CellCentres {
  readonly latitudes: { readonly source: LazySlice; readonly values: Float64Array };
  readonly longitudes: { readonly source: LazySlice; readonly values: Float64Array };
  /** The dimensions of the slice, in the order of the coordinates. */
  readonly axes: readonly [row: number, column: number];
  readonly shape: readonly [rows: number, columns: number];
}

/** Cells that are examined between two yields. */
const STEP = 512;

/** @throws LimitError for too complex polygons */
export async function cellMask(
  polygons: Polygons,
  centres: CellCentres,
  reserve: Reserve,
): Promise<SliceMask> {
  const { shape } = centres;
  await reserve(shape[0] * shape[1]);
  const reach = await inTurns(reachOf(polygons));
  const inside = await inTurns(insideOf(await inTurns(EdgeBands.of(polygons, reach)), centres));
  const [row, column] = centres.axes;
  const all = (count: number): ResolvedDim => ({ kind: 'range', start: 0, step: 1, count, dropped: false });
  return maskOf(centres, inside, { row: { axis: row, dim: all(shape[0]) }, column: { axis: column, dim: all(shape[1]) } }); // prettier-ignore
}

/** One byte for each cell: whether it is inside. Yields every few hundred cells. */
function* insideOf(
  edges: EdgeBands,
  { latitudes, longitudes }: CellCentres,
): Generator<void, Uint8Array, void> {
  const inside = new Uint8Array(latitudes.values.length);
  let work = 0;
  for (let i = 0; i < inside.length; i++) {
    const latitude = latitudes.values[i] ?? NaN;
    work += edges.workAt(latitude);
    if (edges.contains(latitude, longitudes.values[i] ?? NaN)) inside[i] = 1;
    if (work > STEP) {
      work = 0;
      yield;
    }
  }
  return inside;
}

/** The positions of a part along the dimensions of the coordinates. */
type Part =
  | { readonly row: PartDim; readonly column: PartDim }
  /** Points: the positions of each, along one dimension of the slice; undefined for a single one. */
  | { readonly axis: number | undefined; readonly cells: Float64Array };

interface PartDim {
  /** The dimension of the slice; undefined if it was dropped. */
  readonly axis: number | undefined;
  readonly dim: ResolvedDim;
}

function maskOf(centres: CellCentres, inside: Uint8Array, part: Part): SliceMask {
  const { latitudes, longitudes, shape } = centres;
  let extent: (DimSelection | undefined)[] | undefined;
  let making: CellMask | undefined;
  return {
    inputs: [...latitudes.source.inputs, ...longitudes.source.inputs],
    get extent() {
      return (extent ??= runToEnd(extentOf(inside, shape[1], part)));
    },
    get preparation() {
      if (extent !== undefined) return undefined;
      return {
        bytes: 0,
        *steps() {
          extent ??= yield* extentOf(inside, shape[1], part);
        },
      };
    },
    addTo(cost: PlanCost): PlanCost {
      const held = inside.length * (1 + 2 * Float64Array.BYTES_PER_ELEMENT);
      return costBeside(costBeside(cost, latitudes.source.cost(), 0), longitudes.source.cost(), held);
    },
    select: (selection) => maskOf(centres, inside, partOf(part, selection, shape[1])),
    async read(options) {
      await Promise.all([assertSame({ ...latitudes, axis: undefined }, options), assertSame({ ...longitudes, axis: undefined }, options)]); // prettier-ignore
      if (making !== undefined) return making;
      const pause = createPause();
      const steps = runsOf(inside, shape[1], part);
      for (;;) {
        const step = steps.next();
        if (step.done === true) return (making = step.value);
        await pause();
        throwIfAborted(options.signal);
      }
    },
  };
}

function partOf(part: Part, selection: ResolvedSelection, width: number): Part {
  if ('cells' in part) {
    if (part.axis === undefined) return part;
    const at = selection.kind === 'points' ? defined(selection.at[part.axis]) : undefined;
    const dim = selection.kind === 'points' ? undefined : defined(selection.dims[part.axis]);
    const count = at?.length ?? countAlong(defined(dim));
    const cells = Float64Array.from({ length: count }, (_, i) => defined(part.cells[at?.[i] ?? positionAlong(defined(dim), i)])); // prettier-ignore
    const isDropped = selection.kind === 'points' ? selection.dropped : dim?.dropped === true;
    return { axis: isDropped ? undefined : keptBefore(selection, part.axis), cells };
  }
  const { row, column } = part;
  if (selection.kind === 'box') {
    const along = ({ axis, dim }: PartDim): PartDim => {
      const by = axis === undefined ? undefined : defined(selection.dims[axis]);
      if (by === undefined) return { axis, dim };
      return { axis: by.dropped ? undefined : keptBefore(selection, axis ?? 0), dim: composed(dim, by) };
    };
    return { row: along(row), column: along(column) };
  }
  const at = ({ axis, dim }: PartDim, i: number): number =>
    positionAlong(dim, axis === undefined ? 0 : defined(selection.at[axis]?.[i]));
  const cells = Float64Array.from({ length: selection.count }, (_, i) => at(row, i) * width + at(column, i));
  return { axis: selection.dropped ? undefined : 0, cells };
}

/** Number of dimensions before this one that a selection keeps. */
function keptBefore(selection: ResolvedSelection, axis: number): number {
  return selection.kind === 'points'
    ? 0
    : selection.dims.slice(0, axis).filter(({ dropped }) => !dropped).length;
}

function composed(outer: ResolvedDim, inner: ResolvedDim): ResolvedDim {
  const count = countAlong(inner);
  if (outer.kind === 'range' && inner.kind === 'range')
    return { kind: 'range', start: outer.start + inner.start * outer.step, step: outer.step * inner.step, count, dropped: inner.dropped }; // prettier-ignore
  const at = Float64Array.from({ length: count }, (_, i) => positionAlong(outer, positionAlong(inner, i)));
  return { kind: 'list', at, dropped: false };
}

/** The rows and columns from the first to the last with a cell inside. Yields every few thousand cells. */
function* extentOf(
  inside: Uint8Array,
  width: number,
  part: Part,
): Generator<void, (DimSelection | undefined)[], void> {
  if ('cells' in part) return [];
  const { row, column } = part;
  const [rows, columns] = [countAlong(row.dim), countAlong(column.dim)];
  let [top, bottom, left, right] = [rows, -1, columns, -1];
  for (let r = 0; r < rows; r++) {
    const start = positionAlong(row.dim, r) * width;
    for (let c = 0; c < columns; c++) {
      if (c % (8 * STEP) === 8 * STEP - 1) yield;
      if (inside[start + positionAlong(column.dim, c)] !== 1) continue;
      [top, bottom] = [Math.min(top, r), r];
      [left, right] = [Math.min(left, c), Math.max(right, c)];
    }
    if (r % 16 === 15) yield;
  }
  const extent: (DimSelection | undefined)[] = [];
  const range = (first: number, last: number): DimSelection => last < 0 ? { kind: 'slice', start: 0, stop: 0 } : { kind: 'slice', start: first, stop: last + 1 }; // prettier-ignore
  if (row.axis !== undefined) extent[row.axis] = range(top, bottom);
  if (column.axis !== undefined) extent[column.axis] = range(left, right);
  return extent;
}

/** The runs of cells inside, row by row. Yields every few thousand cells. */
function* runsOf(inside: Uint8Array, width: number, part: Part): Generator<void, CellMask, void> {
  const rows = 'cells' in part ? 1 : countAlong(part.row.dim);
  const columns = 'cells' in part ? part.cells.length : countAlong(part.column.dim);
  const cellAt = (r: number, c: number): number =>
    'cells' in part ? defined(part.cells[c]) : positionAlong(part.row.dim, r) * width + positionAlong(part.column.dim, c); // prettier-ignore
  const starts = new Float64Array(rows + 1);
  const runs: number[] = [];
  let steps = 0;
  for (let r = 0; r < rows; r++) {
    let isOpen = false;
    for (let c = 0; c < columns; c++) {
      if (++steps % (8 * STEP) === 0) yield;
      const isInside = inside[cellAt(r, c)] === 1;
      if (isInside !== isOpen) runs.push(c);
      isOpen = isInside;
    }
    if (isOpen) runs.push(columns);
    if (runs.length > 2 * MAX_RUNS)
      throw new LimitError(`the geometry divides the rows of cells into more than ${MAX_RUNS} runs; select fewer elements`, {
        excess: [{ limit: 'runs', allowed: MAX_RUNS, needed: runs.length / 2 }],
      }); // prettier-ignore
    starts[r + 1] = runs.length / 2;
  }
  const [row, column] = 'cells' in part ? [undefined, part.axis] : [part.row.axis, part.column.axis];
  return { row, column, starts, runs: Float64Array.from(runs) };
}
