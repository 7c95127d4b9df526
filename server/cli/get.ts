import { type FileFormat, openFile, type SliceFile } from '../transport/href/file-format.js';
import { readInParts } from '../transport/href/read-in-parts.js';
import {
  defaultLimits,
  isZarrError,
  NotFoundError,
  parseSelection,
  type Selection,
  type ZarrArray,
} from '../zarr/index.js';
import { type LocatedNode, locateNode } from './locate-node.js';
import { writeOutput } from './output.js';
import { printableLines } from './printable.js';
import { runCommand, UsageError } from './run-command.js';

export const valueFormats = ['json', 'csv', 'npy'] as const;
export type ValueFormat = (typeof valueFormats)[number];

const fileFormats: Readonly<Record<ValueFormat, FileFormat>> = { json: 'JSON', csv: 'CSV', npy: 'NPY' };

export interface GetOptions {
  /** NumPy's basic notation. @default everything */
  readonly select?: string;
  /** @default by the ending of `output`, else json */
  readonly format?: ValueFormat;
  /** Of a struct; several lead to a field of a field. */
  readonly field?: readonly string[];
  /** See `HierarchyOptions`. @default true for arrays with an NCZarr note, else false */
  readonly netcdfShuffle?: boolean;
  /** A file, instead of stdout. */
  readonly output?: string;
}

/** `zarrql get`: prints values of an array, part by part, so that they need not fit in memory. What cannot be written in the format is refused before it is read. */
export function get(address: string, options: GetOptions): Promise<void> {
  return runCommand(async () => {
    const format = options.format ?? formatOf(options.output);
    if (format === 'npy' && options.output === undefined && process.stdout.isTTY)
      throw new UsageError('npy is binary, which a terminal cannot show; add --output FILE, or a pipe');
    const selection = parseText(options.select ?? '');
    const located = await locateNode(address, { netcdfShuffle: options.netcdfShuffle });
    try {
      let slice = (await arrayOf(located)).select(selection);
      for (const name of options.field ?? []) slice = slice.field(name);
      const plain = piecesOf(openFile(slice, fileFormats[format], '\n'), format);
      const isForTerminal = options.output === undefined && process.stdout.isTTY;
      const pieces = isForTerminal ? forTerminal(plain) : plain;
      // No file is made of what cannot even be begun.
      await writeOutput(startingWith(await pieces.next(), pieces), options.output);
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

async function* piecesOf(file: SliceFile, format: ValueFormat): AsyncGenerator<string | Uint8Array> {
  const read = readInParts({
    limits: defaultLimits,
    signal: undefined,
    maxBytes: Infinity,
    versions: undefined,
  });
  yield* file.pieces(read, 0, file.byteLength ?? 0);
  if (format === 'json') yield '\n';
}

/** Texts in an array may hold what a terminal acts on. Files and pipes get them as they are. */
async function* forTerminal(
  pieces: AsyncGenerator<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  const decoder = new TextDecoder();
  for await (const piece of pieces)
    yield printableLines(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }));
}

async function* startingWith<T>(first: IteratorResult<T>, others: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done === true) return;
  yield first.value;
  yield* others;
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
