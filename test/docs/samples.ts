/** The sample stores with their names from `npm start`, and the code blocks of documentation pages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGateway, type Gateway } from '../../server/index.js';
import { folderStore } from '../client/in-process.js';

export const root = join(import.meta.dirname, '../..');

const folders = { coads: 'coads', navy_winds: 'navy_winds_v2', etopo20: 'etopo20_sharded' };

export function sampleStores(): Gateway {
  const stores = Object.entries(folders).map(([name, folder]) =>
    folderStore(name, join(root, `examples/data/${folder}.zarr`)),
  );
  return createGateway({ stores });
}

export function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

export interface CodeBlock {
  /** The info string: "json variables". */
  readonly info: string;
  readonly code: string;
  readonly line: number;
}

/** The fenced code blocks of a Markdown text, in order. */
export function codeBlocks(text: string): CodeBlock[] {
  return [...text.matchAll(/^```([^\n]+)\n([^]*?)^```$/gm)].map(({ index, 1: info = '', 2: code = '' }) => ({
    info,
    code,
    line: text.slice(0, index).split('\n').length,
  }));
}
