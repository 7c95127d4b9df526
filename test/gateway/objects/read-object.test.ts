/** Objects are read into memory that a store lends. */
import { expect, test } from 'vitest';
import { openPart } from '../../../server/gateway/objects/read-object.js';
import { LentResults } from '../../../server/memory/lent-results.js';
import { IN_PROCESS, MemoryBudget } from '../../../server/memory/budget.js';
import { createMemoryStore, type KeyStore } from '../../../server/zarr/index.js';

test('a store that reads an object in parts asks for the memory of each before it has the object', async () => {
  const loans = new LentResults().open();
  let lent: Promise<void> | undefined;
  const store: KeyStore = {
    ...createMemoryStore({ label: 'parts' }),
    async getMany(requests, each, options) {
      const part = options?.taken?.();
      expect(part).toBeUndefined();
      await Promise.resolve();
      for (const index of requests.keys())
        each(index, { bytes: Uint8Array.of(1, 2, 3), version: 'v', total: 3 });
      lent = options?.taken?.();
      await lent;
    },
  };
  const budget = new MemoryBudget({ maxBytes: 2 ** 27, maxRequestBytes: 2 ** 26, waitMs: 50 });
  const memory = budget.open(IN_PROCESS);
  const { signal } = new AbortController();
  const part = await openPart({ store, key: 'c/0', memory, signal, loans: () => loans }, undefined);
  if (part === undefined || 'unsatisfiable' in part) throw new Error('the object was not found');
  const pieces: Uint8Array[] = [];
  for await (const piece of part.pieces()) pieces.push(piece);
  expect(pieces).toEqual([Uint8Array.of(1, 2, 3)]);
  let isReturned = false;
  const returned = lent?.then(() => (isReturned = true));
  await Promise.resolve();
  expect(isReturned).toBe(false);
  loans.giveBack();
  await returned;
  expect(isReturned).toBe(true);
});
