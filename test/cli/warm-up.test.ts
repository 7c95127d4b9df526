import { expect, test } from 'vitest';
import { warmUp } from '../../server/cli/warm-up.js';

test('the sample is created, read and answered', async () => {
  await expect(warmUp({})).resolves.toBeUndefined();
});
