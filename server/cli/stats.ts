import { defined } from '../../wire/guards.js';
import { hasStatistic, statisticsOf } from '../analysis/statistics.js';
import { statisticsFields } from '../analysis/statistics/statistic-values.js';
import { leafText } from '../transport/json/value-text.js';
import { parseOperations, parseSliceOptions, type SliceOptions, sliceOf } from './array-slice.js';
import { locateNode } from './locate-node.js';
import { writeOutput } from './output.js';
import { printable } from './printable.js';
import { runCommand } from './run-command.js';

const quantiles = [0.02, 0.25, 0.5, 0.75, 0.98];

/** `zarrql stats`: prints statistics of an array, one per line, as plain text. */
export function stats(address: string, options: SliceOptions): Promise<void> {
  return runCommand(async () => {
    parseSliceOptions(options);
    const steps = await parseOperations(options);
    const located = await locateNode(address, options);
    try {
      const slice = await sliceOf(located, options, steps);
      const fields = statisticsFields.filter((field) => hasStatistic(slice.dtype, field));
      const lists = hasStatistic(slice.dtype, 'quantiles') ? [quantiles] : [];
      const result = await statisticsOf(slice, { fields, quantiles: lists, histograms: [] }).read();
      const lines: (readonly [string, unknown])[] = fields.map((field) => [field, result.values[field]]);
      result.quantiles[0]?.forEach((value, i) => lines.push([`${defined(quantiles[i]) * 100}%`, value]));
      await writeOutput(
        lines.map(([name, value]) => `${name.padEnd(8)} ${textOf(value)}\n`),
        undefined,
      );
    } finally {
      await located.hierarchy.store.close();
    }
  });
}

/** Converts a value to plain text, not JSON. Complex numbers are pairs. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`;
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'string') return printable(value);
  const isPlain = typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value));
  return isPlain ? String(value) : (leafText(value) ?? 'none');
}
