import { afterEach, expect, test, vi } from 'vitest';
import { createSlowFieldPause } from '../../server/resolvers/start-in-turns.js';
import { createPause } from '../../server/zarr/index.js';

afterEach(() => vi.restoreAllMocks());

test('the slow fields of an ordinary request start together, and further ones pause', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const pause = createSlowFieldPause(createPause());
  now.mockReturnValue(1000);
  const pauses = Array.from({ length: 80 }, () => pause());
  expect(pauses.filter((turn) => turn !== undefined)).toHaveLength(16);
  for (const turn of pauses) await turn;
});
