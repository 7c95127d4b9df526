/** Reads fixtures of metadata. */
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { fixtures } from '../../setup/fixtures.js';
import { parseJson } from '../../../server/core/bytes/parse-json.js';
import type { NodeDocuments } from '../../../server/format/metadata/resolve-node.js';

export const matrix = pathToFileURL(`${fixtures}matrix/`);
export const bad = pathToFileURL(`${fixtures}bad/`);
export const real = pathToFileURL(`${fixtures}real/`);

/** Parses a file with one JSON value per line. */
export function readLines(file: URL): Record<string, unknown>[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Record<string, unknown> => JSON.parse(line));
}

/** The parsed documents of a node. */
export function fixtureDocuments(root: URL, store: string, node: string): NodeDocuments {
  const folder = new URL(
    [store, ...node.split('/').filter((part) => part !== '')]
      .map(encodeURIComponent)
      .join('/')
      .replaceAll('%2F', '/') + '/',
    root,
  );
  const read = (name: string) => {
    const file = new URL(name, folder);
    return existsSync(file) ? parseJson(readFileSync(file)) : undefined;
  };
  return {
    zarrJson: read('zarr.json'),
    zarray: read('.zarray'),
    zgroup: read('.zgroup'),
    zattrs: read('.zattrs'),
    meta: read('meta'),
    attrs: read('attrs'),
  };
}
