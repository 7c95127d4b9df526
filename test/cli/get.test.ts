import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { describe, expect, test, vi } from 'vitest';
import { runGet } from '../../server/cli/get.js';
import { createFilesystemStore, openHierarchy } from '../../server/zarr/index.js';
import { zarrql, zarrqlBytes, zarrqlStopped } from './running.js';
import { matrixArray, matrixFolder } from '../conformance/matrix.js';
import { fixtures } from '../setup/fixtures.js';
import { formatNames } from '../../server/cli/get.js';
import { folderOfTest } from '../setup/temporary-folder.js';

const coads = 'examples/data/coads.zarr';
const zip = 'examples/data/coads.zarr.zip';
test.each([coads, zip])('values of %s as JSON', async (store) => {
  const { code, stdout, stderr } = await zarrql(['get', `${store}/SST`, '--select', '0, 40, 60:62']);
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: '[28.791427612304688,29.122499465942383]\n',
    stderr: '',
  });
});

test('an elementsize of 0 in NCZarr is the size of the data type by default', async () => {
  const array = `${fixtures}writers/libnetcdf-nczarr-shuffle.zip/v`;
  const { code, stdout } = await zarrql(['get', array, '--select', '0, :2']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '[0.4684043228626251,0.8762422204017639]\n' });
  const { stdout: same } = await zarrql(['get', array, '--select', '0, :2', '--netcdf-shuffle']);
  expect(same).toBe(stdout);
  const { stdout: other } = await zarrql(['get', array, '--select', '0, :2', '--no-netcdf-shuffle']);
  expect(other).not.toBe(stdout);
});

test('CSV of stored values has one row per value, with its positions in the array', async () => {
  const { stdout } = await zarrql(['get', `${coads}/SST`, '--raw', '--select', '0, 40:42, 62:58:-2', '--format', 'csv']);
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    'COADSY_index,COADSX_index,value',
    '40,62,28.69344711303711',
    '40,60,28.791427612304688',
  ]);
  const { stdout: one } = await zarrql(['get', `${coads}/SST`, '--select', '0, 40, 60', '--format', 'csv']);
  expect(one).toBe('value\n28.791427612304688\n');
}); // prettier-ignore

test('CSV of decoded values has labels; QUANTILE adds a column', async () => {
  const csv = ['--format', 'csv'];
  const { stdout } = await zarrql(['get', `${coads}/SST`, '--select', '1::-1, 40, 90:92', ...csv]);
  expect(stdout.split('\n').slice(0, 4)).toEqual([
    'TIME,COADSX,value',
    '0000-02-15T16:29:06,201,28.514286041259766',
    '0000-02-15T16:29:06,203,28.682910919189453',
    '0000-01-16T06:00:00,201,28.560998916625977',
  ]);
  const select = ['--select', ':, 40, 90:92', '--reduce', 'quantile:TIME:0.1,0.9'];
  const { stdout: quantiles } = await zarrql(['get', `${coads}/SST`, ...select, ...csv]);
  expect(quantiles.split('\n')).toEqual([
    'quantile,COADSX,value',
    '0.1,201,28.08473777770996',
    '0.1,203,28.18828582763672',
    '0.9,201,29.023345947265625',
    '0.9,203,28.69828987121582',
    '',
  ]);
});

// The store has big-endian fields and order F; the output is little-endian in C order.
test.each([
  ['get', '--select', '0', 'x:'],
  ['get', '--group', 'month:TIME:mean', 'season:TIME:mean'],
  ['stats', '--select', '0', '0'],
  ['image', '--select', '0', '1'],
  ['inspect', '--depth', '1', '2'],
])(
  '%s: %s given twice is an error, because one value would replace the other',
  async (command, flag, one, two) => {
    const { code, stdout, stderr } = await zarrql([command, `${coads}/SST`, flag, one, flag, two]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`is given twice, with "${one}" and "${two}"; give it once`);
  },
);

test('npy contains the exact bits, in a file and on stdout', async () => {
  const { path, expected } = matrixArray('v2-struct-mixed-F');
  const file = join(folderOfTest('get'), 'values.npy');
  expect(await zarrql(['get', `${matrixFolder}/${path}`, '--output', file])).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  const written = readFileSync(file);
  expect(written.toString('latin1', 0, 6)).toBe('\u0093NUMPY');
  expect(written.subarray(10 + written.readUInt16LE(8)).toString('base64')).toBe(expected);
  const piped = await zarrqlBytes(['get', `${matrixFolder}/${path}`, '--format', 'npy']);
  expect(piped.equals(written)).toBe(true);
});

test('a file is replaced only with --overwrite', async () => {
  const file = join(folderOfTest('get'), 'values.csv');
  const args = ['get', `${coads}/TIME`, '--select', 'TIME=#0', '--output', file];
  expect((await zarrql(args)).code).toBe(0);
  const written = readFileSync(file, 'utf8');
  writeFileSync(file, 'precious');
  const refused = await zarrql(args);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/already exists; add --overwrite/);
  expect(readFileSync(file, 'utf8')).toBe('precious');
  expect((await zarrql([...args, '--overwrite'])).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(written);
});

test('raw contains only the bytes, by default for .bin', async () => {
  const { path, expected } = matrixArray('v2-struct-mixed-F');
  const file = join(folderOfTest('get'), 'values.bin');
  await zarrql(['get', `${matrixFolder}/${path}`, '--output', file]);
  expect(readFileSync(file).toString('base64')).toBe(expected);
  const piped = await zarrqlBytes(['get', `${matrixFolder}/${path}`, '--format', 'raw']);
  expect(piped.toString('base64')).toBe(expected);
});

// A reader that stops early closes the pipe, and the next write fails.
test.each(['json', 'csv', 'npy'])('a reader of %s can stop early', async (format) => {
  const ended = await zarrqlStopped(['get', `${coads}/SST`, '--format', format]);
  expect(ended).toEqual({ code: 0, stderr: '' });
});

test('a large array is written completely and in order', async () => {
  const { stdout } = await zarrql(['get', `${coads}/SST`, '--raw', '--format', 'csv']);
  const lines = stdout.split('\n');
  expect(lines).toHaveLength(12 * 90 * 180 + 2);
  expect(lines.at(-2)).toMatch(/^11,89,179,-?[\d.e+]+$/);
});

test('a field of a struct can be selected', async () => {
  const address = `${matrixFolder}/${matrixArray('v2-struct-nested-C').path}`;
  const whole = JSON.parse((await zarrql(['get', address])).stdout);
  const [name = ''] = Object.keys(whole);
  const { code, stdout } = await zarrql(['get', address, '--field', name]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual(whole[name]);
  const missing = await zarrql(['get', address, '--field', 'nope']);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toMatch(new RegExp(`nope.*${name}`));
});

test('binary values are not written to a terminal', async () => {
  const output = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  Object.defineProperty(process.stdout, 'isTTY', { value: true, configurable: true });
  try {
    await runGet(`${coads}/TIME`, { format: 'npy' });
    expect(process.exitCode).toBe(2);
    expect(output).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/npy is binary.*--output FILE/));
  } finally {
    process.exitCode = undefined;
    Reflect.deleteProperty(process.stdout, 'isTTY');
    vi.restoreAllMocks();
  }
});

describe('errors without output', () => {
  test.each<[string, string[], number, RegExp]>([
    ['a misspelt name', [`${coads}/SSTT`], 1, /the nearest are "\/SST"/],
    ['a group', [coads], 1, /a group, which has no values; arrays in it are "\/AIRT"/],
    ['too many indices', [`${coads}/SST`, '--select', '0,0,0,0'], 2, /4 dimensions, but the array has 3/],
    ['an index out of range', [`${coads}/SST`, '--select', '12'], 2, /12/],
    ['text that is not a selection', [`${coads}/SST`, '--select', '1..3'], 2, /--select: selection "1\.\.3".*10:20/],
    ['an unknown format', [`${coads}/SST`, '--format', 'cvs'], 2, new RegExp(`Allowed choices are ${formatNames.join(', ')}`)],
    ['a misspelt option', [`${coads}/SST`, '--selct', '0'], 2, /Did you mean --select\?/],
    ['a field of numbers', [`${coads}/SST`, '--field', 'x'], 2, /field/],
    ['text as npy', [`${matrixFolder}/${matrixArray('v3-string-empty').path}`, '--format', 'npy'], 1, /no fixed size.*JSON or CSV/],
    ['a file without a known extension', [`${coads}/TIME`, '--output', 'values.txt'], 2, /cannot derive the format from --output \S*values\.txt/],
    ['a file that cannot be written', [`${coads}/TIME`, '--output', '/nowhere/x.csv'], 1, /ENOENT.*\/nowhere\/x\.csv/],
  ])('%s', async (_, args, expected, message) => {
    const { code, stdout, stderr } = await zarrql(['get', ...args]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
  });
}); // prettier-ignore

describe('expressions', () => {
  test('computes an expression of the variables of a group', async () => {
    const { code, stdout } = await zarrql([
      'get',
      coads,
      '--compute',
      'max(AIRT - 18, 0)',
      '--reduce',
      'max',
    ]);
    expect({ code, value: Number(stdout) > 0 && Number(stdout) < 30 }).toEqual({ code: 0, value: true });
  });

  test.each([
    [[coads, '--compute', 'AIRT +'], 2, 'column 7'],
    [[`${coads}/AIRT`, '--compute', 'AIRT'], 2, 'address of a group'],
  ])('%j fails', async (options, expected, message) => {
    const { code, stderr } = await zarrql(['get', ...options]);
    expect([code, stderr]).toEqual([expected, expect.stringContaining(message)]);
  });
});

describe('reductions', () => {
  test('reduces decoded values', async () => {
    const arguments_ = [
      'get',
      `${coads}/SST`,
      '--decode',
      '--select',
      ':, 40:42',
      '--reduce',
      'mean:TIME,COADSX',
    ];
    expect(await zarrql(arguments_)).toEqual({
      code: 0,
      stdout: '[26.990642547607422,27.143329620361328]\n',
      stderr: '',
    });
    const { stdout } = await zarrql([
      'get',
      `${coads}/SST`,
      '--decode',
      '--reduce',
      'max:0',
      '--reduce',
      'COUNT',
    ]);
    expect(JSON.parse(stdout)).toMatch(/^\d+$/);
  });

  test.each(['mean:', 'average', 'quantile', 'quantile:TIME', 'mean:a:b', ''])(
    '--reduce %j is a usage error',
    async (text) => {
      const { code, stderr } = await zarrql(['get', `${coads}/SST`, '--reduce', text]);
      expect(code).toBe(2);
      expect(stderr).toContain('mean');
    },
  );

  test('an unknown dimension fails', async () => {
    const { code, stderr } = await zarrql(['get', `${coads}/SST`, '--reduce', 'mean:depth']);
    expect(code).toBe(2);
    expect(stderr).toContain('"TIME"');
  });
});

describe('--step', () => {
  const part = ['get', `${coads}/SST`];

  test('operations are applied in the order given', async () => {
    const select = ['--select', 'COADSY=1,COADSX=181'];
    const shift = ['--step', 'shift: {dim: "TIME", by: 1}'];
    const top = ['--step', '{top: {dim: "TIME", k: 1}}', '--reduce', 'max'];
    const first = await zarrql([...part, ...select, ...shift, ...top]);
    const last = await zarrql([...part, ...shift, ...select, ...top]);
    expect(first.stdout).toBe(last.stdout);
    const months = ['--select', 'TIME=#0'];
    const before = await zarrql([...part, ...months, '--reduce', 'count']);
    const after = await zarrql([...part, '--reduce', 'count:COADSY,COADSX', ...months]);
    expect([before.code, before.stdout]).toEqual([0, after.stdout]);
    const late = await zarrql([...part, '--reduce', 'count', ...months]);
    expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('TIME')]);
    const weighted = await zarrql([
      ...part,
      ...months,
      '--step',
      'reduce: {by: MEAN, using: {weights: {kind: COS_LATITUDE}}}',
    ]);
    expect(Number(weighted.stdout)).toBeCloseTo(19.03727, 4);
  });

  test.each([
    ['nothing: {}', 'unknown field "nothing"'],
    ['rolling: {dim: 3}', 'String cannot represent'],
    ['shift: {dim: "TIME", by: 1}, sort: {dim: "TIME"}', 'one'],
    ['top: {dim: "TIME", k: 0}', '"k" is 0; expected an integer from 1'],
    ['{', 'Syntax Error'],
  ])('%s is a usage error', async (text, problem) => {
    const { code, stdout, stderr } = await zarrql([...part, '--step', text]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(problem);
  });
});

describe('--group', () => {
  const part = ['get', `${coads}/SST`, '--select', ':, 40, 90:92', '--format', 'csv'];

  test('reduces parts and periods of the calendar, with their labels', async () => {
    const seasons = await zarrql([...part, '--decode', '--group', 'season:TIME:mean']);
    expect(seasons.stdout.split('\n').slice(0, 3)).toEqual([
      'season,COADSX,value',
      'DJF,201,28.638845443725586',
      'DJF,203,28.52208137512207',
    ]);
    const periods = await zarrql([...part, '--decode', '--group', '3month:TIME:max', '--reduce', 'max:COADSX']);
    expect(periods.stdout.split('\n').slice(0, 3)).toEqual([
      'TIME,value',
      '0000-01-01T00:00:00,29.0253849029541',
      '0000-04-01T00:00:00,29.43666648864746',
    ]);
  }); // prettier-ignore

  test.each(['month:TIME', 'decade:TIME:mean', '0x1day:TIME:mean', 'month::mean', 'month:TIME:quantile', ''])(
    '%j is a usage error',
    async (text) => {
      const { code, stderr } = await zarrql([...part, '--decode', '--group', text]);
      expect(code).toBe(2);
      expect(stderr).toContain('month:time:mean');
    },
  );

  test('requires decoded dates', async () => {
    const { code, stderr } = await zarrql([...part, '--raw', '--group', 'month:TIME:mean']);
    expect(code).toBe(2);
    expect(stderr).toContain('without --raw');
  });
});

describe('labels', () => {
  const ocean = 'examples/data/ocean.zarr/sst';
  const valueOf = async (...args: readonly string[]): Promise<unknown> => JSON.parse((await zarrql(['get', ocean, ...args])).stdout); // prettier-ignore

  test('the mean of SST in March near the equator takes 60 characters', async () => {
    const command = 'zarrql get ocean.zarr/sst -s time=2021-03,lat=-5..5 -r mean';
    expect(command.length).toBeLessThanOrEqual(60);
    const [, , , ...args] = command.split(' ');
    const byPosition = ['--select', 'time=#2, lat=[42:48]', '--reduce', 'mean'];
    expect(await valueOf(...args)).toBe(await valueOf(...byPosition));
  });

  test('select in stored values too', async () => {
    expect(await valueOf('--raw', '-s', 'time=2021-03, lat=~0.2, lon=(179, 181)')).toEqual(
      await valueOf('--raw', '-s', 'time=#2, lat=#45, lon=[179, 0]'),
    );
  });

  test.each([
    [['-s', 'time=2021-03, lat=abc'], 'column 19: "abc" is not a label'],
    [['-s', 'time=2021-03, lat=('], '--select: selection "time=2021-03, lat=(": column 20: expected )'],
    [['-s', 'time=0'], 'a position is "time=#0"'],
    [['--raw', '--decode'], '--raw and --decode cannot be combined'],
  ])('%j fails', async (args, message) => {
    const { code, stderr } = await zarrql(['get', ocean, ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('an array without names of dimensions is read and drawn as it is stored; --decode fails', async () => {
    const root = folderOfTest('get');
    const hierarchy = openHierarchy(createFilesystemStore({ label: 'f', root }));
    await hierarchy.createGroup('/');
    const array = await hierarchy.createArray('a', { shape: [2, 3], dtype: 'int8' });
    await array.select({ kind: 'all' }).write([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect((await zarrql(['get', `${root}/a`])).stdout).toBe('[[1,2,3],[4,5,6]]\n');
    expect((await zarrql(['get', `${root}/a`, '-s', '1', '--format', 'csv'])).stdout).toBe('dim_1_index,value\n0,4\n1,5\n2,6\n'); // prettier-ignore
    expect((await zarrqlBytes(['image', `${root}/a`])).subarray(1, 4).toString()).toBe('PNG');
    expect((await zarrql(['get', `${root}/a`, '--decode'])).stderr).toContain('omit --decode');
  });
});

test('tables and NetCDF files have coordinates, and units unless values were reduced', async () => {
  const folder = folderOfTest('tables');
  const ocean = 'examples/data/ocean.zarr/sst';
  const read = async (name: string, ...more: string[]): Promise<Buffer> => {
    const output = join(folder, name);
    expect(
      await zarrql(['get', ocean, '--select', 'time=2021-03', '--output', output, ...more]),
    ).toMatchObject({
      code: 0,
      stderr: '',
    });
    return readFileSync(output);
  };
  const table = tableFromIPC(await read('sst.arrows'));
  expect(table.schema.fields.map(({ name }) => name)).toEqual(['lat', 'lon', 'time', 'sst']);
  expect(table.schema.fields[3]?.metadata.get('units')).toBe('degree_Celsius');
  const reduced = tableFromIPC(await read('mean.arrows', '--reduce', 'std:lat'));
  expect([...(reduced.schema.fields.at(-1)?.metadata.keys() ?? [])]).toEqual(['long_name']);
  expect((await read('sst.nc')).subarray(0, 3).toString()).toBe('CDF');
  expect((await read('sst.parquet')).subarray(0, 4).toString()).toBe('PAR1');
});
