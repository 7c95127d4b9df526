/** Statistics of all values of a slice, in one pass. */
import type { Fold, Total } from './fold.js';
import { type BinCounts, createBinCounts, mergeBinCounts } from '../statistics/bin-counts.js';
import { DIGITS, DigitTotals } from '../statistics/digit-counts.js';
import type { StatisticsPartial, StatisticsSpec } from '../statistics/statistics-partial.js';
import { mergeSummaries, noValues, type Summary } from '../statistics/summary.js';

/** Like `StatisticsPartial`, for all values. */
export interface StatisticsTotal {
  readonly elements: number;
  readonly missing: number;
  readonly summary: Summary;
  readonly bins: readonly BinCounts[];
  readonly digits: DigitTotals | undefined;
}

/** Creates the fold that computes the statistics of a slice. @param rank rank of the slice */
export function statisticsFold(spec: StatisticsSpec, rank: number): Fold<StatisticsTotal> {
  const binBytes = spec.bins.reduce((sum, { edges }) => sum + edges.length * 8, 0);
  const digitBytes = (spec.digits?.prefixes.length ?? 0) * DIGITS * 8;
  return {
    reducer: { kind: 'statistics', ...spec },
    maps: Array.from({ length: rank }, () => ({ kind: 'all' })),
    totalBytes: binBytes + digitBytes,
    // In the worst case, all digits occur in a chunk.
    slotBytes: binBytes + digitBytes,
    createTotal: () => createTotal(spec, { elements: 0, missing: 0, summary: noValues }),
    resumeTotal(state) {
      const isPlain = spec.bins.length === 0 && spec.digits === undefined;
      if (isPlain && isPartial(state)) return createTotal(spec, state);
      throw new TypeError('the state is not that of the statistics');
    },
  };
}

function createTotal(
  spec: StatisticsSpec,
  from: Pick<StatisticsTotal, 'elements' | 'missing' | 'summary'>,
): Total<StatisticsTotal> {
  let { elements, missing, summary } = from;
  const bins = spec.bins.map(createBinCounts);
  const digits = spec.digits === undefined ? undefined : new DigitTotals(spec.digits.prefixes.length);
  return {
    *add(partial) {
      if (!isPartial(partial)) throw new TypeError('a decoding thread returned invalid statistics');
      elements += partial.elements;
      missing += partial.missing;
      summary = mergeSummaries(summary, partial.summary);
      for (const [b, counts] of bins.entries()) {
        const own = partial.bins[b];
        if (own !== undefined) mergeBinCounts(counts, own);
      }
      if (partial.digits !== undefined) digits?.merge(partial.digits);
      yield;
    },
    state: () => ({ elements, missing, summary, bins, digits }),
    finish: () => ({ elements, missing, summary, bins, digits }),
  };
}

/** The partial result is trusted, because this program computed it. */
function isPartial(value: unknown): value is StatisticsPartial {
  return (
    typeof value === 'object' &&
    value !== null &&
    'elements' in value &&
    'missing' in value &&
    'summary' in value &&
    'bins' in value &&
    Array.isArray(value.bins)
  );
}
