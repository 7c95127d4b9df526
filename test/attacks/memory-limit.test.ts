/**
 * A gateway with `--memory` in a control group of that size survives more clients than it has memory for. Its answers
 * are right, or refusals with a code. Skipped where no control group can be created.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFilesystemStore, openHierarchy } from '../../server/zarr/index.js';
import { commandLine } from '../cli/running.js';
import { createMemoryGroup } from '../setup/memory-group.js';
import { folderOfTest } from '../setup/temporary-folder.js';

const memoryBytes = 512 * 2 ** 20;
const [steps, rows, columns] = [64, 512, 512] as const;
const clients = 48;
const rounds = 3;

const valueAt = (t: number, y: number, x: number): number => (t * 31 + y * 7 + x) % 4099;

const group = createMemoryGroup(memoryBytes);
if ('missing' in group) console.warn(`skipped: ${group.missing}`);

describe.skipIf('missing' in group)('a gateway in a control group', () => {
  test('survives more clients than it has memory for', { timeout: 600_000 }, async () => {
    if ('missing' in group) return;
    const root = folderOfTest('memory-limit');
    await writeArrays(root);
    const { command, args, cwd } = commandLine([
      ...['serve', '--port', '0', '--log-level', 'silent', '--memory', '512MiB'],
      ...['--store', `s=${root}`, '--store', 'm=memory:', '--allow-write', 'm'],
    ]);
    const inGroup = group.commandIn(command, args);
    const child = spawn(inGroup.command, inGroup.args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'close');
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await ended;
      await group.remove();
    });
    const line = await Promise.race([once(child.stdout, 'data'), ended]);
    const url = String(line[0]).trim();
    const made = `mutation { createArray(input: { store: "m", path: "w", shape: [8, 128, 128], dtype: "int32" }) { array { path } } }`;
    expect(await (await post(url, { query: made })).text()).not.toContain('"errors"');

    const outcomes = new Map<string, number>();
    const names = Object.keys(kinds);
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let round = 0; round < rounds; round++) {
          const name = names[(client + round) % names.length] ?? '';
          const outcome = await kinds[name]?.(url, client * rounds + round).then(
            (found) => `${name}: ${found}`,
            (error: unknown) => `${name}: ${String(error)}`,
          );
          if (outcome === undefined) continue;
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      }),
    );
    expect(group.kills()).toBe(0);
    expect(child.exitCode ?? child.signalCode).toBeNull();
    const expected = names.flatMap((name) => [`${name}: right`, `${name}: refused`]);
    expect([...outcomes.keys()].filter((outcome) => !expected.includes(outcome))).toEqual([]);
    // Without other clients, nothing is refused.
    for (const name of names) expect(`${name}: ${await kinds[name]?.(url, 5)}`).toBe(`${name}: right`);
    expect(group.kills()).toBe(0);
  });
});

async function writeArrays(root: string): Promise<void> {
  const hierarchy = openHierarchy(createFilesystemStore({ label: 's', root }));
  await hierarchy.createGroup('');
  const layouts = { chunks: [4, 256, 256], large: [16, 512, 512] };
  for (const [name, chunkShape] of Object.entries(layouts)) {
    const array = await hierarchy.createArray(name, {
      ...{ shape: [steps, rows, columns], dtype: 'float32', dimensionNames: ['t', 'y', 'x'], chunkShape },
      codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, { name: 'zstd' }],
    });
    for (let t = 0; t < steps; t += 16) {
      const data = valuesOf([t, t + 16], [0, rows], [0, columns]);
      const dims = [{ kind: 'slice', start: t, stop: t + 16 }] as const;
      await array.select({ kind: 'dims', dims }).write({ shape: [16, rows, columns], data });
    }
  }
}

type Range = readonly [start: number, end: number];

function valuesOf(t: Range, y: Range, x: Range): Float32Array {
  const values = new Float32Array((t[1] - t[0]) * (y[1] - y[0]) * (x[1] - x[0]));
  let at = 0;
  for (let i = t[0]; i < t[1]; i++)
    for (let j = y[0]; j < y[1]; j++) for (let k = x[0]; k < x[1]; k++) values[at++] = valueAt(i, j, k);
  return values;
}

const bytesOf = (...ranges: Parameters<typeof valuesOf>): Buffer => Buffer.from(valuesOf(...ranges).buffer);

function post(url: string, body: unknown, accept = 'application/json'): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

const sliceOf = (path: string, [t, y, x]: readonly Range[], fields: string): { query: string } => ({
  query: `{ store(name: "s") { array(path: "${path}") { slice(select: { text: "${[t, y, x].map((range) => range?.join(':')).join(', ')}" }) { ${fields} } } } }`,
});

/** @returns 'refused' for a response with the code of exceeded limits, otherwise what `isRight` finds */
async function outcomeOf(response: Response, isRight: (body: Buffer) => boolean): Promise<string> {
  const body = Buffer.from(await response.arrayBuffer());
  const text = body.toString('latin1', 0, 2000);
  if (text.includes('LIMIT_EXCEEDED')) return 'refused';
  const isOk = response.ok && !text.includes('"errors"');
  return isOk && isRight(body) ? 'right' : `${response.status} ${text.slice(0, 300)}`;
}

/** Sends a request that depends on a number, and compares the values. @returns the outcome */
const kinds: Readonly<Record<string, (url: string, n: number) => Promise<string>>> = {
  async cbor(url, n) {
    const ranges = [
      [n % 52, (n % 52) + 12],
      [0, 400],
      [0, columns],
    ] as const;
    const response = await post(url, sliceOf('chunks', ranges, 'values'), 'application/cbor');
    const expected = bytesOf(...ranges);
    // The values are at the end.
    return outcomeOf(response, (body) => body.subarray(-expected.length).equals(expected));
  },
  async json(url, n) {
    const ranges = [
      [n % 64, (n % 64) + 1],
      [0, 400],
      [100, 500],
    ] as const;
    const fields = Array.from({ length: 3 }, (_, i) => `r${i}: values`).join(' ');
    const expected = [...valuesOf(...ranges)];
    return outcomeOf(await post(url, sliceOf('large', ranges, fields)), (body) => {
      const { slice } = JSON.parse(body.toString()).data.store.array;
      return [slice.r0, slice.r1, slice.r2].every(
        (values) => JSON.stringify(values.flat(2)) === JSON.stringify(expected),
      );
    });
  },
  async base64(url, n) {
    const ranges = [
      [n % 56, (n % 56) + 8],
      [0, rows],
      [0, columns],
    ] as const;
    return outcomeOf(await post(url, sliceOf('large', ranges, 'base64 { data }')), (body) => {
      const { data } = JSON.parse(body.toString()).data.store.array.slice.base64;
      return Buffer.from(data, 'base64').equals(bytesOf(...ranges));
    });
  },
  async mean(url, n) {
    const ranges = [
      [0, steps],
      [n % 100, (n % 100) + 50],
      [0, 50],
    ] as const;
    const expected = Array.from({ length: 50 }, (_, j) =>
      Array.from({ length: 50 }, (_, k) => {
        let sum = 0;
        for (let t = 0; t < steps; t++) sum += valueAt(t, (n % 100) + j, k);
        return sum / steps;
      }),
    );
    const fields = 'reduce(by: MEAN, over: ["t"]) { values }';
    return outcomeOf(await post(url, sliceOf('chunks', ranges, fields)), (body) => {
      const { values } = JSON.parse(body.toString()).data.store.array.slice.reduce;
      return JSON.stringify(values) === JSON.stringify(expected);
    });
  },
  async file(url, n) {
    const ranges = [
      [n % 40, (n % 40) + 24],
      [0, rows],
      [0, columns],
    ] as const;
    let href = '';
    const outcome = await outcomeOf(
      await post(url, sliceOf('chunks', ranges, 'href(format: RAW)')),
      (body) => {
        ({ href } = JSON.parse(body.toString()).data.store.array.slice);
        return true;
      },
    );
    if (outcome !== 'right') return outcome;
    return outcomeOf(await fetch(new URL(href, url)), (body) => body.equals(bytesOf(...ranges)));
  },
  async write(url, n) {
    const query = `mutation($v: NDArray!) { writeSlice(input: { store: "m", path: "w", select: { text: "${n % 8}" }, values: $v }) { chunksWritten } }`;
    const v = Array.from({ length: 128 }, () => Array.from({ length: 128 }, (_, i) => i));
    return outcomeOf(await post(url, { query, variables: { v } }), (body) => !body.includes('"errors"'));
  },
};
