import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../../server/store/memory.js';
import { Heads } from '../../../server/store/icechunk/heads.js';
import { get } from '../../../server/store/define-reading.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const MAIN = { branch: 'main' } as const;

/** A library that reads `repo`, which is absent, and then the reference. */
async function setUp() {
  const objects = createMemoryStore({ label: 'files' });
  await objects.set('refs/main', bytes('first'));
  let asked = 0;
  const heads: Heads = new Heads({
    objects,
    maxAgeMs: 0,
    ask: async () => {
      asked += 1;
      const repo = await read('repo');
      return repo ?? (await read('refs/main')) ?? 'absent';
    },
  });
  async function read(key: string): Promise<string | undefined> {
    let text: string | undefined;
    await objects.getMany([{ key }], (_, result) => {
      if (result === 'unchanged') return;
      heads.noteRead(key, result === undefined ? null : result.version);
      text = result === undefined ? undefined : new TextDecoder().decode(result.bytes);
    });
    return text;
  }
  const resolve = (): Promise<string> => heads.resolve(MAIN, { fresh: true });
  return { objects, heads, resolve, asked: () => asked };
}

describe('the head of a branch', () => {
  test('is asked for once while its objects are the same', async () => {
    const { resolve, asked } = await setUp();
    expect([await resolve(), await resolve(), await resolve()]).toEqual(['first', 'first', 'first']);
    expect(asked()).toBe(1);
  });

  test('is asked for again after its object changed', async () => {
    const { objects, resolve, asked } = await setUp();
    await resolve();
    await objects.set('refs/main', bytes('second'));
    expect([await resolve(), await resolve()]).toEqual(['second', 'second']);
    expect(asked()).toBe(2);
  });

  test('is asked for again after an object appeared that was absent', async () => {
    const { objects, resolve, asked } = await setUp();
    await resolve();
    await objects.set('repo', bytes('upgraded'));
    expect(await resolve()).toBe('upgraded');
    expect(asked()).toBe(2);
  });

  test('is asked for again after its object was removed', async () => {
    const { objects, resolve } = await setUp();
    await resolve();
    await objects.delete(['refs/main']);
    expect(await resolve()).toBe('absent');
  });

  test.each(['a list', 'an object without a version', 'an object that changed meanwhile'])(
    'is always asked for if it depends on %s',
    async (kind) => {
      const objects = createMemoryStore({ label: 'files' });
      await objects.set('refs/main', bytes('new'));
      const version = (await get(objects, 'refs/main'))?.version;
      let asked = 0;
      const heads: Heads = new Heads({
        objects,
        maxAgeMs: 0,
        ask: async () => {
          heads.noteRead('other', null);
          if (kind === 'a list') heads.noteList();
          else {
            heads.noteRead('refs/main', kind === 'an object that changed meanwhile' ? 'old' : undefined);
            heads.noteRead('refs/main', version);
          }
          return String((asked += 1));
        },
      });
      for (const expected of ['1', '2', '3'])
        expect(await heads.resolve(MAIN, { fresh: true })).toBe(expected);
    },
  );

  test('is asked for again after an error', async () => {
    let asked = 0;
    const heads: Heads = new Heads({
      objects: createMemoryStore({ label: 'files' }),
      maxAgeMs: 60_000,
      ask: async () => {
        heads.noteRead('refs/main', null);
        asked += 1;
        if (asked === 1) throw new Error('unavailable');
        return 'first';
      },
    });
    await expect(heads.resolve(MAIN)).rejects.toThrow('unavailable');
    expect(await heads.resolve(MAIN)).toBe('first');
  });
});
