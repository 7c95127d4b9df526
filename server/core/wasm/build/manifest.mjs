// Writes manifest.json next to the two modules. Usage: manifest.mjs FOLDER VERSIONS
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, versionsFile] = process.argv.slice(2);
const versions = Object.fromEntries(
  readFileSync(versionsFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' ').slice(0, 2)),
);

function describe(name, libraries) {
  const bytes = readFileSync(join(folder, `${name}.wasm`));
  const module = new WebAssembly.Module(bytes);
  const imports = WebAssembly.Module.imports(module);
  if (imports.length > 0) throw new Error(`${name}.wasm imports ${JSON.stringify(imports)}`);
  return {
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
    libraries: Object.fromEntries(libraries.map((library) => [library, versions[library]])),
    functions: WebAssembly.Module.exports(module)
      .filter(({ kind }) => kind === 'function')
      .map((entry) => entry.name)
      .sort(),
  };
}

const manifest = {
  'codecs.wasm': describe('codecs', ['c-blosc', 'lz4', 'libzstd', 'libdeflate']),
  'archive.wasm': describe('archive', ['bzip2', 'xz-utils']),
};
writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
