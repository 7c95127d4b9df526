/** Statistics of one chunk, computed in one pass by the thread that decoded it. */
import { sizeOf } from '../../core/bytes/shape.js';
import type { Values } from '../../core/bytes/values.js';
import { type Planes, planeForm, widen } from '../number-planes.js';
import type { TaskAxis } from '../axis-map.js';
import { piecesOf, type PieceForm } from '../piece.js';
import type { ElementRegion } from '../../format/plan/region.js';
import { runLength } from '../../format/plan/parts.js';
import { type BinCounts, type BinSpec, countInBins, createBinCounts } from './bin-counts.js';
import { DigitCounter, type DigitCounts, type DigitSpec } from './digit-counts.js';
import { KeyReader } from './sort-keys.js';
import { mergeSummaries, noValues, type Summary, summarize, summarizeEqual } from './summary.js';

/** The requested statistics in addition to the counts, as plain data. */
export interface StatisticsSpec {
  readonly summary: boolean;
  readonly bins: readonly BinSpec[];
  readonly digits: DigitSpec | undefined;
}

/** The statistics of a chunk. Plain data that is transferred between threads. */
export interface StatisticsPartial {
  /** Number of elements, including missing ones. */
  readonly elements: number;
  readonly missing: number;
  /** Summary of the values; empty if it was not requested, or for types without a `planeForm`. */
  readonly summary: Summary;
  readonly bins: readonly BinCounts[];
  readonly digits: DigitCounts | undefined;
}

/** Computes the statistics of a region. Yields after each piece; see `piecesOf`. */
export function* statisticsOfRegion(
  spec: StatisticsSpec,
  form: PieceForm,
  axes: readonly TaskAxis[],
  values: Values,
  region: ElementRegion,
): Generator<void, StatisticsPartial> {
  const planes = planeForm(form.dtype);
  const bins = spec.bins.map(createBinCounts);
  const counter = spec.digits === undefined ? undefined : new DigitCounter(spec.digits);
  let keys: KeyReader | undefined;
  let [elements, missing, summary] = [0, 0, noValues];
  for (const piece of piecesOf(values, region, axes, form)) {
    const { length } = piece;
    const [first, second] = piece.planes;
    const own: Planes = { first, second };
    elements += length;
    if (piece.hasMissing) missing += countMissing(first, length);
    if (planes !== undefined) {
      if (spec.summary) summary = mergeSummaries(summary, summarize(planes, own, length));
      spec.bins.forEach((binSpec, b) => {
        const counts = bins[b];
        if (counts !== undefined) countInBins(counts, binSpec, planes, own, length);
      });
      if (counter !== undefined) {
        keys ??= new KeyReader(form.dtype);
        counter.add(keys.read(own, length));
      }
    }
    yield;
  }
  return { elements, missing, summary, bins, digits: counter?.result() };
}

/** Like `statisticsOfRegion`, for equal elements, in closed form. */
export function statisticsOfFill(
  spec: StatisticsSpec,
  { dtype }: Pick<PieceForm, 'dtype'>,
  axes: readonly TaskAxis[],
  fill: Values,
): StatisticsPartial {
  const times = sizeOf(axes.map(({ run }) => runLength(run)));
  const { planes, hasMissing } = widen({ values: fill, count: 1 }, dtype);
  const [first, second] = planes;
  const own: Planes = { first, second };
  const form = planeForm(dtype);
  const bins = spec.bins.map((binSpec) => {
    const counts = createBinCounts(binSpec);
    if (form !== undefined) countInBins(counts, binSpec, form, own, 1, times);
    return counts;
  });
  return {
    elements: times,
    missing: hasMissing ? times : 0,
    summary: spec.summary && form !== undefined ? summarizeEqual(form, own, times) : noValues,
    bins,
    digits:
      spec.digits === undefined ? undefined : digitsOfFill(spec.digits, new KeyReader(dtype), own, times),
  };
}

function digitsOfFill(spec: DigitSpec, keys: KeyReader, planes: Planes, times: number): DigitCounts {
  const counter = new DigitCounter(spec);
  counter.add(keys.read(planes, 1));
  const { digits, counts } = counter.result();
  return { digits, counts: counts.map((count) => count * times) };
}

function countMissing(values: Float64Array, count: number): number {
  let missing = 0;
  for (let i = 0; i < count; i++) if (values[i] !== values[i]) missing++;
  return missing;
}
