/** Reductions as jobs whose process is killed again and again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseJob } from '../../server/jobs/job.js';
import { planJob } from '../../server/jobs/plan-job.js';
import { RECORD_ATTRIBUTE } from '../../server/jobs/record.js';
import { runJob } from '../../server/jobs/run-job.js';
import { createFilesystemStore, openHierarchy } from '../../server/zarr/index.js';
import { testStores } from '../jobs/memory-stores.js';
import { folderOfTest } from '../setup/temporary-folder.js';

const program = fileURLToPath(new URL('reducer.ts', import.meta.url));
const kills = 20;

interface Ended {
  /** Number of tasks that have ended. */
  readonly ran: number;
  /** The last line, unless the process was killed. */
  readonly outcome: string | undefined;
}

/** Runs the job until it ends, or kills its process after some tasks. */
async function runOnce(folder: string, job: unknown, killAfter: number): Promise<Ended> {
  const child = spawn(
    process.execPath,
    ['--conditions=zarrql-source', '--import', 'tsx', program],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, CHAOS_JOB: JSON.stringify({ folder, job }) } },
  ); // prettier-ignore
  let ran = 0;
  let outcome: string | undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line !== 'task') outcome = line;
    // The kill comes before, during or after the next record.
    else if (++ran === killAfter) setTimeout(() => child.kill('SIGKILL'), (ran * 7919) % 23);
  });
  await once(child, 'close');
  return { ran, outcome };
}

test.each([
  ['without a destination', 'MEAN', undefined],
  ['with a destination', 'STD', { store: 'b', path: '/r' }],
])(
  `a reduction %s is bit by bit that of one run after ${kills} SIGKILLs, and repeats only unfinished tasks`,
  { timeout: 300_000 },
  async (_, by, destination) => {
    const folder = folderOfTest('reductions');
    const open = (label: string) => createFilesystemStore({ label, root: join(folder, label) });
    const { stores, source } = testStores(open('a'), open('b'));
    const shape = [5120, 4, 4];
    const array = await source.createArray('/x', { shape, chunkShape: [1, 4, 4], dtype: 'float64' });
    let state = 12345;
    // Their sum depends on the order of additions.
    const numbers = Float64Array.from({ length: 5120 * 16 }, () => {
      state = (state * 1103515245 + 12345) % 2 ** 31;
      return (state / 2 ** 31 - 0.5) * 10 ** (state % 17);
    });
    await array.select().write({ dtype: { name: 'float64', itemSize: 8 }, shape, bytes: new Uint8Array(numbers.buffer) }); // prettier-ignore
    const plain = { kind: 'reduce', source: { store: 'a', path: '/x', steps: [{ reduce: { by } }] } };
    const plan = await planJob(parseJob(plain), stores);
    const { values: expected } = await runJob(plan);
    const job = { ...plain, ...(destination === undefined ? {} : { destination, options: {} }) };
    let ran = 0;
    for (let kill = 0; kill < kills; kill++) {
      const ended = await runOnce(folder, job, 2 + (kill % 2));
      expect(ended.outcome).toBeUndefined();
      ran += ended.ran;
    }
    const last = await runOnce(folder, job, Infinity);
    const { resumed, text } = JSON.parse(last.outcome ?? '{}');
    expect(resumed).toBeGreaterThanOrEqual(kills / 2);
    // Two tasks run at the same time, and one more may have ended since the last record.
    expect(ran + last.ran).toBeLessThanOrEqual(plan.tasks + 4 * kills);
    const bytes = expected !== undefined && 'bytes' in expected ? expected.bytes : undefined;
    if (destination === undefined) {
      expect(text).toBe(Buffer.from(bytes ?? []).toString('hex'));
      expect(readdirSync(join(folder, 'records')).filter((name) => name.endsWith('.job'))).toEqual([]);
    } else {
      const written = await openHierarchy(open('b')).array('/r');
      expect(await written.select().read()).toEqual(expected);
      expect(written.meta.attributes[RECORD_ATTRIBUTE]).toBeUndefined();
    }
  },
);
