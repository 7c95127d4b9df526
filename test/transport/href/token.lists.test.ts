import { expect, test } from 'vitest';
import { openToken, signToken } from '../../../server/transport/href/token.js';

test('lists of positions, which are typed arrays, are plain lists in a token', () => {
  const claims = { expires: 2, steps: [{ dims: [{ kind: 'indices', indices: Float64Array.of(3, 1, 2) }] }] };
  const opened = openToken(signToken(claims, 'key'), ['key'], 1);
  expect(opened).toMatchObject({
    kind: 'valid',
    claims: { steps: [{ dims: [{ kind: 'indices', indices: [3, 1, 2] }] }] },
  });
});
