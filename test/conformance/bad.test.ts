/**
 * Malformed stores fail with the right error class, in bounded time and memory, and without reads outside
 * the store.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isZarrError, openHierarchy, type ZarrErrorCode } from '../../server/zarr/index.js';
import { fixtures } from '../setup/fixtures.js';
import { openFixture } from './open-fixture.js';

interface BadCase {
  readonly id: string;
  readonly path: string;
  readonly node: string;
  readonly expected_error: string;
  readonly accept: string[];
  readonly level: 'must' | 'should' | 'may';
  readonly why: string;
}

const codes: Readonly<Record<string, readonly ZarrErrorCode[]>> = {
  metadata: ['INVALID_METADATA'],
  codec: ['CODEC_ERROR'],
  checksum: ['CHECKSUM_MISMATCH'],
  limits: ['LIMIT_EXCEEDED'],
  unsupported: ['UNSUPPORTED'],
  path: ['BAD_INPUT'],
};

const folder = `${fixtures}bad/`;
const cases = readFileSync(`${folder}cases.jsonl`, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as BadCase);

/** Limits like those of a gateway. */
const limits = {
  maxOutputBytes: 2 ** 26,
  maxDecodedBytes: 2 ** 30,
  maxChunks: 100_000,
  maxReducedBytes: 2 ** 40,
};

/** Opens the node, or lists the store for listing cases, and reads all values. */
async function readAll(c: BadCase): Promise<void> {
  const hierarchy = openHierarchy(await openFixture(folder + c.path), { limits });
  const node = await hierarchy.node(c.node);
  if (node === undefined || node.kind === 'group') {
    for await (const entry of hierarchy.walk(node?.path ?? '/', { recursive: true })) entry.open();
    return;
  }
  await node.select({ kind: 'all' }).read();
}

describe('bad', () => {
  test.each(cases.map((c) => [`${c.id}: ${c.why}`, c] as const))('%s', async (_, c) => {
    const before = process.memoryUsage().rss;
    const error = await readAll(c).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
    if (error === undefined) {
      expect(c.level).not.toBe('must');
      return;
    }
    if (!isZarrError(error)) throw new Error('not an error of the engine', { cause: error });
    if (c.level === 'may') return;
    expect([c.expected_error, ...c.accept].flatMap((name) => codes[name] ?? [])).toContain(error.code);
  });
});
