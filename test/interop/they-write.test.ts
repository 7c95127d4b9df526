/**
 * Random arrays written by zarr-python 3, tensorstore, zarr-python 2 and zarrs: this engine reads the same bits as the
 * writer. ZARRQL_SEED and ZARRQL_INTEROP_TIMES vary the arrays and their number.
 */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { expectCase } from '../conformance/cases.js';
import type { Case } from '../conformance/expected-layout.js';
import { findPython, runScript, seed, temporaryFolder, times, type Environment } from './python.js';

interface WrittenCase extends Case {
  /** Description of the array for failure messages. */
  readonly codecs: string;
}

const writers: { name: string; environment: Environment; count: number }[] = [
  { name: 'zarr3', environment: 'today', count: 240 },
  { name: 'tensorstore', environment: 'today', count: 160 },
  { name: 'zarr2', environment: 'zarr2', count: 160 },
  { name: 'zarrs', environment: 'zarrs', count: 160 },
];

const { path: folder, remove } = await temporaryFolder();
afterAll(remove);

describe.each(writers)('$name writes, the engine reads', ({ name, environment, count }) => {
  test(`${count * times} arrays of seed ${seed}`, { timeout: 600_000 }, async (context) => {
    const python = await findPython(environment);
    if ('missing' in python) return context.skip(python.missing);
    const root = `${folder}/${name}`;
    const wanted = count * times;
    const { stderr } = await runScript(python.command, 'write_arrays.py', [
      name,
      root,
      `${seed}`,
      `${wanted}`,
    ]);
    const lines = readFileSync(`${root}/cases.jsonl`, 'utf8').split('\n').filter(Boolean);
    // Arrays that a writer rejects are reported, and must be rare.
    expect(lines.length, stderr).toBeGreaterThan(0.95 * wanted);
    const failures: string[] = [];
    for (const line of lines) {
      const c: WrittenCase = JSON.parse(line);
      await expectCase(root, c).catch((error: unknown) => {
        failures.push(`${c.id} (shape ${c.shape.join()}; ${c.codecs}): ${String(error)}`);
      });
    }
    expect(failures).toEqual([]);
  });
});
