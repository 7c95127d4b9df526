import { expect, test } from 'vitest';
import { abortProblem } from '../../server/http/problem.js';

test('only a request that exceeded its time limit is told so', () => {
  const late = new DOMException('the request exceeded its time limit', 'TimeoutError');
  expect(abortProblem(late, 50)).toMatchObject({ status: 504, message: expect.stringContaining('50 ms') });
  const closing = new DOMException('the gateway is shutting down', 'AbortError');
  expect(abortProblem(closing, 50)).toMatchObject({
    status: 503,
    message: expect.stringContaining('shutting down'),
  });
});
