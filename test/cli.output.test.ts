import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { createProcessLog, escapeLine } from '../server/cli/logger.js';
import { warmUp } from '../server/cli/warm-up.js';
import { paletteOf } from '../server/pictures/palette.js';
import { fixtures } from './setup/fixtures.js';
import { folderOfTest } from './setup/temporary-folder.js';
import { zarrql, zarrqlBytes } from './cli/running.js';

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
  test('gets every line in order, in one batch', async () => {
    const sent: string[] = [];
    const log = createProcessLog('info', (text, done) => {
      sent.push(text);
      setImmediate(done);
    });
    for (let i = 0; i < 5; i++) log.logger.info({ i });
    await log.flush();
    expect(sent).toHaveLength(1);
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
    expect(lines.slice(0, -1).map((line) => line.i)).toEqual([0, 1, 2]);
    expect(lines.at(-1)).toMatchObject({ level: 'warn', lines: 7 });
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

// `zarrql image` writes pictures and legends as files.

const sst = 'examples/data/coads.zarr/SST';

function fileIn(name: string): string {
  return join(folderOfTest('image'), name);
}

function opened(bytes: Buffer): PNG {
  expect(bytes.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  return PNG.sync.read(bytes);
}

test('writes a picture and its legend to files', async () => {
  const [picture, legend] = [fileIn('sst.png'), fileIn('legend.png')];
  const args = ['--select', '0', '--width', '90', '--range', '0,30', '--color-map', 'inferno'];
  const ended = await zarrql(['image', sst, ...args, '--output', picture, '--legend', legend]);
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
  const { width, height, data } = opened(readFileSync(picture));
  expect([width, height]).toEqual([90, 45]);
  const inferno = new Set<string>(['0,0,0,0']);
  const palette = paletteOf({ name: 'inferno' });
  for (let i = 0; i < palette.length; i += 4) inferno.add(palette.subarray(i, i + 4).join());
  const colours = new Set<string>();
  for (let i = 0; i < data.length; i += 4) colours.add([...data.subarray(i, i + 4)].join());
  expect(colours.size).toBeGreaterThan(50);
  expect([...colours].filter((colour) => !inferno.has(colour))).toEqual([]);
  expect(opened(readFileSync(legend)).width).toBe(320);
});

test('writes the same picture of a mean to a file and to stdout', async () => {
  const args = ['--reduce', 'mean:TIME', '--height', '45', '--range', '0.1,30', '--log'];
  const file = fileIn('mean.png');
  await zarrql(['image', sst, ...args, '--output', file]);
  const bytes = await zarrqlBytes(['image', sst, ...args]);
  expect(bytes.equals(readFileSync(file))).toBe(true);
  expect(opened(bytes).height).toBe(45);
});

test('draws an array in a Zarr v2 store in its size', async () => {
  const { width, height } = opened(
    await zarrqlBytes(['image', 'examples/data/navy_winds_v2.zarr/UWND', '--select', '0']),
  );
  expect([width, height]).toEqual([144, 73]);
});

test('reads arrays that only consolidated metadata describes with --trust-consolidated', async () => {
  const root = fileIn('stale.zarr');
  cpSync('examples/data/coads.zarr', root, { recursive: true });
  rmSync(join(root, 'AIRT'), { recursive: true });
  const image = ['image', join(root, 'AIRT'), '--select', '0', '--range', '0,1'];
  const { code, stderr } = await zarrql([...image, '--output', fileIn('none.png')]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/no metadata document/) });
  const { width, height, data } = opened(await zarrqlBytes([...image, '--trust-consolidated']));
  expect([width, height]).toEqual([180, 90]);
  expect(data.every((byte) => byte === 0)).toBe(true);
});

test('--no-netcdf-shuffle changes pictures and statistics as it changes values', async () => {
  const array = `${fixtures}writers/libnetcdf-nczarr-shuffle.zip/v`;
  for (const args of [
    ['image', array],
    ['stats', array],
  ]) {
    const shuffled = await zarrqlBytes(args);
    expect((await zarrqlBytes([...args, '--netcdf-shuffle'])).equals(shuffled)).toBe(true);
    expect((await zarrqlBytes([...args, '--no-netcdf-shuffle'])).equals(shuffled)).toBe(false);
  }
});

test.each([
  [[sst], 2, 'two dimensions'],
  [[sst, '--select', '0', '--range', '1'], 2, '--range'],
  [[sst, '--select', '0', '--range', '5,1'], 2, 'range'],
  [[sst, '--select', '0', '--range', '0,1', '--log'], 2, 'above 0'],
  [[sst, '--select', '0', '--color-map', 'rainbow'], 2, 'rainbow'],
  [[sst, '--select', '0', '--width', '0'], 2, 'width'],
  [[sst, '--select', '0', '--width', '5000'], 2, '4096'],
  [['examples/data/coads.zarr/NONE'], 1, 'NONE'],
])('%j fails', async (args, code, message) => {
  const ended = await zarrql(['image', ...args, '--output', fileIn('none.png')]);
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' });
  expect(ended.stderr).toContain(message);
});

// The output for stores whose names contain terminal control characters, and for command lines with
// secrets.

const evil = '\u001b[31m\u009b2J\u202e';
// eslint-disable-next-line no-control-regex -- matches control characters on purpose
const active = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

function hostileStore(): string {
  const folder = folderOfTest('hostile');
  const put = (path: string, document: object): void => {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, 'zarr.json'), JSON.stringify(document));
  };
  put('', { zarr_format: 3, node_type: 'group' });
  put(`name${evil}`, {
    ...{ zarr_format: 3, node_type: 'array', shape: [1], data_type: evil, fill_value: evil },
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [1] } },
    chunk_key_encoding: { name: 'default' },
    codecs: [{ name: evil }],
  });
  return folder;
}

test.each([
  ['the nearest names', 'nome'],
  ['the arrays of a group', ''],
  ['unsupported input', `name${evil}`],
])('errors about %s contain no terminal control characters', async (_, path) => {
  const { code, stdout, stderr } = await zarrql(['get', join(hostileStore(), path)]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^zarrql: /);
  expect(stderr + stdout).not.toMatch(active);
});

test('a mistyped option is named without its value', async () => {
  const { code, stderr } = await zarrql(['serve', '--href-keyz=a-secret', `--${evil}`]);
  expect(code).toBe(2);
  expect(stderr).toContain('--href-keyz=');
  expect(stderr).not.toContain('a-secret');
  const other = await zarrql(['serve', `--${evil}`]);
  expect(other.stderr).not.toMatch(active);
});

test('the queries that warm up the server succeed', async () => {
  await expect(warmUp({})).resolves.toBeUndefined();
});
