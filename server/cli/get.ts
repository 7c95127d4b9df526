import { csvIndexes } from '../transport/csv-indexes.js';
import { csvText } from '../transport/csv.js';
import { blockText } from '../transport/json/block-text.js';
import { npyHeader, npyPieces } from '../transport/npy.js';
import {
  type ArraySlice,
  type Block,
  isZarrError,
  NotFoundError,
  parseSelection,
  type Selection,
  type ZarrArray,
} from '../zarr/index.js';
import { type LocatedNode, locateNode } from './locate-node.js';
import { writeOutput } from './output.js';
import { runCommand, UsageError } from './run-command.js';

export const valueFormats = ['json', 'csv', 'npy'] as const;
export type ValueFormat = (typeof valueFormats)[number];

export interface GetOptions {
  /** NumPy's basic notation. @default everything */
  readonly select?: string;
  /** @default by the ending of `output`, else json */
  readonly format?: ValueFormat;
  /** Of a struct; several lead to a field of a field. */
  readonly field?: readonly string[];
  /** A file, instead of stdout. */
  readonly output?: string;
}

/** `zarrql get`: prints values of an array. What cannot be written in the format is refused before it is read. */
export function get(address: string, options: GetOptions): Promise<void> {
  return runCommand(async () => {
    const format = options.format ?? formatOf(options.output);
    if (format === 'npy' && options.output === undefined && process.stdout.isTTY)
      throw new UsageError('npy is binary, which a terminal cannot show; add --output FILE, or a pipe');
    const selection = parseText(options.select ?? '');
    const located = await locateNode(address);
    try {
      let slice = (await arrayOf(located)).select(selection);
      for (const name of options.field ?? []) slice = slice.field(name);
      if (format === 'npy') npyHeader(slice.dtype, slice.shape);
      await writeOutput(pieces(await slice.read(), slice, format), options.output);
    } finally {
      await located.hierarchy.store.close();
    }
  });
}

function formatOf(file: string | undefined): ValueFormat {
  return valueFormats.find((format) => file?.toLowerCase().endsWith(`.${format}`)) ?? 'json';
}

function parseText(text: string): Selection {
  try {
    return parseSelection(text);
  } catch (error) {
    if (isZarrError(error)) throw new UsageError(`--select: ${error.detail}`, { cause: error });
    throw error;
  }
}

function* pieces(block: Block, slice: ArraySlice, format: ValueFormat): Generator<string | Uint8Array> {
  switch (format) {
    case 'npy':
      yield* npyPieces(block);
      return;
    case 'csv':
      yield* csvText(block, { indexes: csvIndexes(slice), valueName: 'value', newline: '\n' });
      return;
    case 'json':
      yield* blockText(block, 'STRING');
      yield '\n';
  }
}

const MAX_NAMED = 5;

/** @throws NotFoundError for a group, with some of the arrays below it */
async function arrayOf({ hierarchy, node }: LocatedNode): Promise<ZarrArray> {
  if (node.kind === 'array') return node;
  const arrays: string[] = [];
  for await (const entry of hierarchy.walk(node.path, { recursive: true })) {
    if (entry.kind === 'array') arrays.push(entry.path);
    if (arrays.length >= MAX_NAMED) break;
  }
  throw new NotFoundError(
    `this is a group, which has no values${arrays.length === 0 ? '' : `; arrays in it are ${arrays.map((path) => JSON.stringify(path)).join(', ')}`}`,
    { where: { store: hierarchy.store.label, path: node.path } },
  );
}
