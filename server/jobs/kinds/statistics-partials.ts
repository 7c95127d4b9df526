/** Partial statistics of chunks as JSON, exactly: numbers that JSON does not have are text. */
import * as z from 'zod';
import { isRecord } from '../../../wire/guards.js';
import { InputError, type JsonValue } from '../../zarr/index.js';
import type { PartialCodec } from '../plan.js';

/** Maximum number of chunks of a task. */
const MAX_CHUNKS = 100_000;

const number = z
  .union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity', '-0'])])
  .transform((value) => (typeof value === 'number' ? value : Number(value)));
const pair = z.tuple([number, number]);

const partialForm = z.strictObject({
  elements: z.int().min(0),
  missing: z.int().min(0),
  summary: z.strictObject({
    count: z.int().min(0),
    least: pair,
    greatest: pair,
    sum: pair,
    secondSum: pair,
    mean: pair,
    squares: number,
  }),
});
const form = z.array(partialForm).max(MAX_CHUNKS);

export const statisticsPartials: PartialCodec = {
  encode(partials) {
    return partials.map((partial) => {
      if (!isRecord(partial)) throw new TypeError('a task returned invalid statistics');
      const { elements, missing, summary } = partial;
      return exact({ elements, missing, summary });
    });
  },
  decode(json) {
    const parsed = form.safeParse(json);
    if (!parsed.success) throw new InputError('invalid partial statistics', { cause: parsed.error });
    return parsed.data.map((partial) => ({ ...partial, bins: [], digits: undefined }));
  },
};

function exact(value: unknown): JsonValue {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? value : Object.is(value, -0) ? '-0' : String(value); // prettier-ignore
  if (Array.isArray(value)) return value.map(exact);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, exact(each)]));
  throw new TypeError('partial statistics are numbers');
}
