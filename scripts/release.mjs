// Prepares a release; RELEASING.md describes the steps.
//   node scripts/release.mjs version 0.2.0    sets the version everywhere, and dates the section of the CHANGELOG
//   node scripts/release.mjs pack [FOLDER]    packs both packages, and writes their bills of materials (CycloneDX)
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { build } from './build.mjs';

const root = dirname(import.meta.dirname);
const manifests = ['package.json', 'client/package.json'];

/** Licences that packages may have which users install with ours, or that are part of our files. */
const permitted =
  /^\(?(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Zlib|CC0-1\.0|Unlicense)( (OR|AND) [\w.-]+)*\)?$/;

const [command, argument] = process.argv.slice(2);
if (command === 'version' && argument !== undefined) setVersion(argument);
else if (command === 'pack') await pack(resolve(argument ?? join(root, 'release')));
else {
  console.error('expected: release.mjs version X.Y.Z, or release.mjs pack [FOLDER]');
  process.exitCode = 2;
}

/** @param {string} version */
function setVersion(version) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    throw new Error(`expected a version such as 0.2.0, got ${version}`);
  for (const file of manifests) {
    const text = readFileSync(join(root, file), 'utf8');
    writeFileSync(join(root, file), text.replace(/("version": ")[^"]+/, `$1${version}`));
  }
  const python = join(root, 'python/pyproject.toml');
  writeFileSync(python, readFileSync(python, 'utf8').replace(/^version = .*$/m, `version = "${version}"`));
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--silent'], { cwd: root });
  const changes = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const heading = /^## \S+ \(not yet released\)$/m;
  if (!heading.test(changes)) throw new Error('CHANGELOG.md has no section "(not yet released)"');
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(join(root, 'CHANGELOG.md'), changes.replace(heading, `## ${version} (${day})`));
}

/** @param {string} folder */
async function pack(folder) {
  const versions = new Set(
    manifests.map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')).version),
  );
  if (versions.size !== 1)
    throw new Error(`the packages have different versions: ${[...versions].join(', ')}`);
  await build({ ifStale: true });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const npm = (/** @type {string} */ cwd, /** @type {string[]} */ ...args) =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
  npm(root, 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder);
  npm(root, 'pack', '--silent', '--workspace', 'client', '--pack-destination', folder);
  // What users install: the workspace has other packages, and `npm sbom` omits those that are also used for development.
  const installed = mkdtempSync(join(tmpdir(), 'zarrql-release-'));
  const archive = readdirSync(folder).find((name) => /^zarrql-\d/.test(name)) ?? '';
  writeFileSync(
    join(installed, 'package.json'),
    '{ "name": "zarrql-installed", "version": "0.0.0", "private": true }',
  );
  npm(installed, 'install', '--ignore-scripts', '--silent', '--no-audit', '--no-fund', join(folder, archive));
  const bill = JSON.parse(npm(installed, 'sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'library'));
  rmSync(installed, { recursive: true, force: true });
  assertLicences(bill);
  writeFileSync(join(folder, 'zarrql.cdx.json'), `${JSON.stringify(bill, undefined, 2)}\n`);
}

/**
 * @typedef {{ license?: { id?: string, name?: string }, expression?: string }} Licence
 * @param {{ components?: { name: string, version: string, licenses?: Licence[] }[] }} bill
 */
function assertLicences({ components = [] }) {
  const problems = components
    .map(({ name, version, licenses = [] }) => {
      const names = licenses.map(
        ({ license, expression }) => expression ?? license?.id ?? license?.name ?? '',
      );
      return names.length > 0 && names.every((one) => permitted.test(one)) ? '' : `${name} ${version}: ${names.join(', ') || 'no licence'}`; // prettier-ignore
    })
    .filter((text) => text !== '');
  if (problems.length > 0) throw new Error(`licences that are not permitted:\n${problems.join('\n')}`);
}
