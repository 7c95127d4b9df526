/** The cases of `test/fixtures/matrix` that the SDK reads: the values that other implementations read for every data type. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixtures } from '../setup/fixtures.js';

export interface Layout {
  readonly kind: string;
  readonly unit?: string;
  readonly scale?: number;
  readonly item?: Layout;
}

export interface Case {
  readonly id: string;
  readonly path: string;
  readonly format: number;
  readonly node: string;
  readonly shape: readonly number[];
  readonly dtype: unknown;
  readonly layout: Layout;
  readonly expected: string | null;
  readonly undefined_chunks?: readonly unknown[];
}

export const folder = join(fixtures, 'matrix');
const variable = ['var_utf8', 'var_bytes', 'json', 'ragged'];

/** One case per format and data type, and every case of a variable-length type. */
function chooseCases(): Case[] {
  const seen = new Set<string>();
  const all = readFileSync(join(folder, 'cases.jsonl'), 'utf8').split('\n').filter(Boolean);
  return all
    .map((line) => JSON.parse(line) as Case)
    .filter((each) => typeof each.expected === 'string' && each.path.endsWith('.zarr'))
    .filter((each) => (each.undefined_chunks ?? []).length === 0)
    .filter((each) => {
      const key = JSON.stringify([each.format, each.dtype]);
      return variable.includes(each.layout.kind) || (!seen.has(key) && seen.add(key));
    });
}

export const cases = chooseCases();
