import { describe, expect, test } from 'vitest';
import { createProcessLog, escapeLine } from '../../server/cli/logger.js';

test('a log line contains no terminal control characters and keeps its meaning', () => {
  const codes = [
    ...Array.from({ length: 0xa0 }, (_, i) => i),
    ...[0xad, 0x61c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0xd800],
    ...[0xdfff, 0xe000, 0xfeff, 0xfff9, 0xe0001, 0xe0041, 0x1bca0],
  ];
  const record = {
    caller: codes.map((code) => String.fromCodePoint(code)).join('x'),
    'k\u009by': 'é 日本 😀',
  };
  const line = escapeLine(`${JSON.stringify(record)}\n`);
  expect(line).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u);
  expect(line.endsWith('}\n')).toBe(true);
  expect(line).toContain('é 日本 😀');
  expect(JSON.parse(line)).toEqual(record);
});

describe('a reader of the log', () => {
  test('gets every line in order, in batches', async () => {
    const sent: string[] = [];
    const log = createProcessLog('info', (text, done) => {
      sent.push(text);
      setImmediate(done);
    });
    for (let i = 0; i < 5; i++) log.logger.info({ i });
    await log.flush();
    expect(sent).toHaveLength(2);
    expect(linesOf(sent).map((line) => line.i)).toEqual([0, 1, 2, 3, 4]);
  });

  // Regression: lines for a stalled reader filled the memory.
  test('that stops reading is buffered up to a limit, then receives the number of dropped lines', async () => {
    const sent: string[] = [];
    const resume: (() => void)[] = [];
    const log = createProcessLog('info', (text, done) => {
      sent.push(text);
      resume.push(done);
    });
    const text = 'x'.repeat(2 ** 20);
    for (let i = 0; i < 10; i++) log.logger.info({ i, text });
    const flushed = log.flush();
    while (resume.length > 0) resume.shift()?.();
    await flushed;
    const lines = linesOf(sent);
    expect(lines.slice(0, -1).map((line) => line.i)).toEqual([0, 1, 2, 3]);
    expect(lines.at(-1)).toMatchObject({ level: 40, lines: 6 });
  });

  test('that exits ends the log, not the program', async () => {
    let sent = 0;
    const log = createProcessLog('info', (_, done) => {
      sent += 1;
      done(new Error('EPIPE'));
    });
    log.logger.info('a');
    log.logger.info('b');
    await log.flush();
    expect(sent).toBe(1);
  });
});

function linesOf(sent: readonly string[]): { level: number; i: number; lines?: number }[] {
  return sent
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
