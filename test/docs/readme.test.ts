/** README: flags and defaults match the configuration, and the commands and the TypeScript program run. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { defaultText, optionDescriptions } from '../../server/config.js';
import { zarrql } from '../cli/running.js';
import { listen } from '../client/listen.js';
import { codeBlocks, readText, root, sampleStores } from './samples.js';
import { fullAccess } from '../../server/index.js';

const text = readText('README.md');

test('flags and defaults match the configuration', () => {
  const rows = text
    .split('\n')
    .filter((line) => /^\| `(--|limits\.)/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
  expect(rows.length).toBeGreaterThan(10);
  for (const [, first = '', second = '', third = ''] of rows) {
    if (first === '--config FILE') continue;
    const option = optionDescriptions.find((one) =>
      first.startsWith('--') ? first === `--${one.flag} ${one.placeholder}` : first === one.path.join('.'),
    );
    if (option === undefined) throw new Error(`there is no option ${first}`);
    const shown = first.startsWith('--') ? [second] : [second, third];
    expect(shown, first).toEqual([
      ...(first.startsWith('--') ? [] : [`--${option.flag}`]),
      defaultText(option),
    ]);
  }
});

test('the commands without a server run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'readme-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const output = join(folder, 'sst.npy');
  const commands = [...text.matchAll(/^npx zarrql ((?:inspect|get|stats) [^#\n]*)/gm)].map(
    ([, line = '']) =>
      line.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '').replace(/^sst\.npy$/, output)) ?? [],
  );
  expect(commands).toHaveLength(5);
  const [inspected, got, written, reduced, statistics] = await Promise.all(
    commands.map((command) => zarrql(command)),
  );
  expect(inspected).toMatchObject({ code: 0, stderr: '' });
  expect(inspected?.stdout).toMatch(/SST +float32 \[TIME 12, COADSY 90, COADSX 180\]/);
  expect(got).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(got?.stdout ?? '')).toEqual([
    28.791427612304688, 29.122499465942383, 28.69344711303711, 29.03708267211914,
  ]);
  expect(written).toMatchObject({ code: 0 });
  expect(reduced).toMatchObject({ code: 0, stderr: '' });
  expect(reduced?.stdout.split('\n')).toHaveLength(1 + 90 * 180 + 1);
  expect(statistics?.stdout).toMatch(/^count +104778\n/);
  expect((await readFile(output)).length).toBe(128 + 4 * 90 * 180);
});

test('the TypeScript program has the results in its comments', async () => {
  const block = codeBlocks(text).find(({ info }) => info === 'ts');
  const cache = join(root, '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'readme-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const program = join(folder, 'program.ts');
  const code = (block?.code ?? '')
    .replace("'zarrql-client'", "'../../client/index.js'")
    .replace("'http://127.0.0.1:4000/graphql'", "process.argv[2] ?? ''");
  const said =
    'console.log(JSON.stringify([shape, dimensions.length, january.data.constructor.name, january.data.length, typeof january.get(5, 90), months.length]));';
  await writeFile(program, `${code}\n${said}\n`);
  const gateway = sampleStores();
  let requests = 0;
  const server = await listen((request) => {
    requests++;
    return gateway.fetch(request, fullAccess);
  });
  onTestFinished(async () => {
    server.close();
    await gateway.close();
  });
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, server.url], {
    cwd: root,
  });
  expect(JSON.parse(stdout)).toEqual([[12, 90, 180], 3, 'Float32Array', 1800, 'number', 4]);
  // Metadata, January, and one request for all months.
  expect(requests).toBe(3);
});
