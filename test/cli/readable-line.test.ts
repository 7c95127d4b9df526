import { expect, test } from 'vitest';
import { createProcessLog } from '../../server/cli/logger.js';
import { readableLine } from '../../server/cli/readable-line.js';

test('time, level and message come first, then the fields', () => {
  const line = JSON.stringify({ level: 'info', time: '2026-11-28T02:11:58.192Z', method: 'POST', path: '/graphql', status: 200, codes: ['X'], msg: 'request' }); // prettier-ignore
  expect(readableLine(line)).toBe(
    '02:11:58 INFO  request  method=POST  path=/graphql  status=200  codes=["X"]\n',
  );
  const spaced = JSON.stringify({
    level: 'warn',
    time: '2026-11-28T02:11:58.192Z',
    store: 'a b',
    msg: 'slow',
  });
  expect(readableLine(spaced)).toBe('02:11:58 WARN  slow  store="a b"\n');
});

test('an error has its stack below, and other lines are unchanged', () => {
  const line = JSON.stringify({ level: 'error', time: '2026-11-28T02:11:58.192Z', err: { stack: 'Error: a\n    at b' }, msg: 'failed' }); // prettier-ignore
  expect(readableLine(line)).toBe('02:11:58 ERROR failed\n         Error: a\n             at b\n');
  expect(readableLine('plain\n')).toBe('plain\n');
});

test('untrusted text cannot control a terminal', async () => {
  const sent: string[] = [];
  const send = (text: string, done: () => void): void => {
    sent.push(text);
    done();
  };
  const log = createProcessLog('info', send, 'readable');
  log.logger.info({ caller: 'x\u001b[2J\u202e\ny' }, 'request');
  await log.flush();
  expect(sent.join('')).toMatch(/^\d\d:\d\d:\d\d INFO {2}request {2}caller="x\\u001b\[2J\\u202e\\ny"\n$/);
});
