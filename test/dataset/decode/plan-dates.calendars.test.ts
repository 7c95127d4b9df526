/**
 * Numbers with units and calendar become cftime's dates: 2,000 dates from a file, and 100,000 new ones if Python is
 * available.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { planDecoding } from '../../../server/dataset/decode/plan-decoding.js';
import { isZarrError, runNow, type Block } from '../../../server/zarr/index.js';
import { findPython, runScript, seed } from '../../interop/python.js';
import { shownDates } from '../expected-values.js';
import { fixtures } from '../../setup/fixtures.js';

interface Line {
  readonly calendar: string;
  readonly units: string;
  readonly dtype: keyof typeof types;
  readonly values: string;
  readonly dates: readonly string[];
}

const types = {
  u2: { name: 'uint16', itemSize: 2 },
  i4: { name: 'int32', itemSize: 4 },
  i8: { name: 'int64', itemSize: 8 },
  f4: { name: 'float32', itemSize: 4 },
  f8: { name: 'float64', itemSize: 8 },
} as const;

function linesOf(text: string): Line[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function expectDates({ calendar, units, dtype: code, values, dates }: Line) {
  const dtype = types[code];
  const attributes = { units, calendar };
  const decoding = planDecoding({
    name: 'time',
    zarrFormat: 3,
    dtype,
    shape: [dates.length],
    attributes,
    fill: undefined,
  });
  const stored = { dtype, shape: [dates.length], bytes: Uint8Array.from(Buffer.from(values, 'base64')) };
  const wanted = { units, calendar, dates };
  expect({ units, calendar, ...shownDates(decoded()) }).toEqual(wanted);

  /** datetime64 cannot represent Julian dates; the values then require text. */
  function decoded(): Block {
    try {
      return decoding.decode(stored);
    } catch (error) {
      if (!isZarrError(error, 'UNSUPPORTED') || decoding.refine === undefined) throw error;
      expect(dates.some((date) => date < '1582-10-15')).toBe(true);
      return runNow(decoding.refine(stored)).decode(stored);
    }
  }
}

test('2,000 dates of the reference file', () => {
  const file = `${fixtures}dates/cftime.jsonl`;
  const lines = linesOf(readFileSync(file, 'utf8'));
  expect(lines.flatMap(({ dates }) => dates).length).toBe(2000);
  for (const line of lines) expectDates(line);
});

const python = await findPython('datasets');

describe.skipIf('missing' in python)('with cftime', () => {
  test('100,000 dates', { timeout: 240_000 }, async () => {
    if ('missing' in python) return;
    const { stdout } = await runScript(python.command, '../dataset/make_dates.py', [`${seed}`, '2000', '50']);
    const lines = linesOf(stdout);
    expect(lines.flatMap(({ dates }) => dates).length).toBe(100_000);
    for (const line of lines) expectDates(line);
  });
});
