/**
 * README and docs/command-line.md: the commands and the TypeScript program run. The tutorials quote the examples.
 * docs/architecture.md: the named files exist. docs/engine.md: its program runs.
 */
// @ts-expect-error a script without types
import { engine as engineFolders } from '../../scripts/check-imports.mjs';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, describe } from 'vitest';
import { fullAccess } from '../../server/index.js';
import * as engine from '../../server/zarr/index.js';
import { zarrql } from '../cli/running.js';
import { listen } from '../client/listen.js';
import { codeBlocks, readText, root, sampleStores } from './format-samples.js';

const text = readText('README.md');

test('the commands without a server run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'readme-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const output = join(folder, 'sst.npy');
  const commands = [
    ...readText('docs/command-line.md').matchAll(/^npx zarrql ((?:inspect|get|stats) [^#\n]*)/gm),
  ].map(
    ([, line = '']) =>
      line.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '').replace(/^sst\.npy$/, output)) ?? [],
  );
  expect(commands).toHaveLength(6);
  const [inspected, mean, got, written, reduced, statistics] = await Promise.all(
    commands.map((command) => zarrql(command)),
  );
  expect(inspected).toMatchObject({ code: 0, stderr: '' });
  expect(inspected?.stdout).toMatch(/sst +float32 \[time 12, lat 90, lon 180\]/);
  expect(JSON.parse(mean?.stdout ?? '')).toBe(28.066810607910156);
  expect(got).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(got?.stdout ?? '')).toEqual([27.5546875, 27.3828125, 27.0859375, 26.8671875]);
  expect(written).toMatchObject({ code: 0 });
  expect(reduced).toMatchObject({ code: 0, stderr: '' });
  expect(reduced?.stdout.split('\n')).toHaveLength(1 + 90 * 180 + 1);
  expect(statistics?.stdout).toMatch(/^count +104778\n/);
  expect((await readFile(output)).length).toBe(128 + 4 * 90 * 180);
});

test('the documentation stays short enough to read: 45,000 words, without bars of tables and brackets of code', () => {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  const words = ['README.md', ...pages]
    .flatMap((name) => readText(name).split(/\s+/))
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  expect(pages.length).toBeGreaterThan(40);
  expect(words.length).toBeGreaterThan(30_000);
  expect(words.length).toBeLessThanOrEqual(45_000);
});

test.each(['dashboard', 'service'])('the tutorial on a %s quotes the example', (name) => {
  const blocks = codeBlocks(readText(`docs/tutorials/${name}.md`)).filter(({ info }) => /^tsx? /.test(info));
  expect(blocks.length).toBeGreaterThan(2);
  const plain = (code: string) => code.replaceAll(/\s+/g, '');
  for (const { info, code, line } of blocks)
    expect(plain(readText(`examples/${info.split(' ')[1] ?? ''}`)), `line ${line}`).toContain(plain(code));
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
  const expected =
    'console.log(JSON.stringify([shape, dimensions.length, january.data.constructor.name, january.data.length, typeof january.get(5, 90), months.length]));';
  await writeFile(program, `${code}\n${expected}\n`);
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
  // Three requests: metadata, January, and all months together.
  expect(requests).toBe(3);
});

// The files and folders in docs/architecture.md exist.
describe('architecture', () => {
  const text = readText('docs/architecture.md');
  const named = [...text.matchAll(/`((?:server|client|schema|scripts|test|docs)\/[\w./-]*)`/g)].map(
    (match) => match[1] ?? '',
  );

  test('every file and folder', () => {
    expect(named.length).toBeGreaterThan(40);
    expect([...new Set(named)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('all folders of the engine', () => {
    const table = text.slice(text.indexOf('The engine has'), text.indexOf('Outside the engine'));
    const described = [...table.matchAll(/^\| `server\/(\w+)\/`/gm)].map((match) => match[1] ?? '');
    const folders = new Set(engineFolders.map(([folder]: [string]) => folder.split('/')[0] ?? ''));
    expect(described).toEqual([...folders]);
  });

  test('links between documents resolve, including the headings that they name', () => {
    const files = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'examples/README.md'].concat(
      readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => `docs/${name}`),
    );
    expect(files.length).toBeGreaterThan(30);
    for (const file of files) {
      const links = [...readText(file).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
      const broken = links.filter(([, path = '', heading]) => {
        const target = path === '' ? file : join(dirname(file), path);
        if (!existsSync(join(root, target))) return true;
        return heading !== undefined && !anchorsOf(readText(target)).includes(heading);
      });
      expect(
        broken.map(([link]) => link),
        file,
      ).toEqual([]);
    }
  });

  test('the package contains the files that README.md links to', async () => {
    const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
    });
    const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(stdout);
    const packed = files.map(({ path }) => path);
    const links = [...readText('README.md').matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)];
    expect(links.length).toBeGreaterThan(20);
    for (const [, link = ''] of links)
      expect(
        packed.some((path) => path === link || path.startsWith(`${link}/`)),
        link,
      ).toBe(true);
  });
});

/** The anchors of the headings of a Markdown text, as GitHub derives them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );
}

// docs/engine.md: its examples form one program, which prints the output in its comments.
describe('engine', () => {
  const text = readText('docs/engine.md');
  const code = codeBlocks(text)
    .filter(({ info }) => info === 'js')
    .map((block) => block.code)
    .join('\n');

  const commented = /^( *)console\.log\((.*)\); \/\/ (.*)$/gm;
  /** Prints each commented value on a separate line. */
  const recorder = `import { formatWithOptions } from 'node:util';
const record = (i, ...values) =>
  process.stdout.write('#' + i + ' ' + formatWithOptions({ breakLength: Infinity }, ...values).replace(/\\s+/g, ' ') + '\\n');
`;

  test('the program prints the output in its comments', async () => {
    // Within the package, so that "zarrql" resolves to it.
    await mkdir(join(root, '.cache'), { recursive: true });
    const folder = await mkdtemp(join(root, '.cache/engine-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const comments: string[] = [];
    const program = code.replace(commented, (_, indent: string, values: string, comment: string) => {
      comments.push(comment);
      return `${indent}record(${comments.length - 1}, ${values});`;
    });
    await writeFile(join(folder, 'program.mjs'), recorder + program);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(folder, 'program.mjs')], {
      cwd: root,
    });
    expect(stderr).toBe('');
    expect(comments.length).toBeGreaterThan(10);
    for (const [i, comment] of comments.entries()) {
      const lines = stdout.split('\n').filter((line) => line.startsWith(`#${i} `));
      const pieces = comment.split('...').map((piece) => piece.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      const expected = new RegExp(`^${pieces.join('.*')}$`);
      // A loop prints several lines, but the comment shows only one.
      expect(lines.map((line) => line.slice(`#${i} `.length)).join('\n')).toMatch(
        lines.length === 1 ? expected : new RegExp(expected, 'm'),
      );
    }
  });

  test('every name that the page imports is exported', () => {
    const names = [...text.matchAll(/import \{([^}]*)\} from 'zarrql\/zarr'/g)].flatMap(([, list = '']) =>
      list.split(',').map((name) => name.trim()),
    );
    expect(names.length).toBeGreaterThan(8);
    for (const name of names) expect(Object.keys(engine)).toContain(name);
  });
});
