import type { FileForm, SliceFile } from '../transport/forms/form.js';
import { fileForms } from '../transport/forms/forms.js';
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

export interface GetOptions {
  /** NumPy's basic indexing. @default everything */
  readonly select?: string;
  /** One of `formatNames`. @default from the extension of `output`, else json */
  readonly format?: string;
  /** A field of a struct; several names select a nested field. */
  readonly field?: readonly string[];
  /** See `HierarchyOptions`. @default true for arrays with an NCZarr attribute, else false */
  readonly netcdfShuffle?: boolean;
  /** A file; stdout if omitted. */
  readonly output?: string;
}

/** Names of file forms on the command line. */
export const formatNames: readonly string[] = fileForms.map(nameOf);

/**
 * `zarrql get`: prints values of an array, part by part, so that they need not fit in memory. Types that the
 * format cannot hold are refused before anything is read.
 */
export function get(address: string, options: GetOptions): Promise<void> {
  return runCommand(async () => {
    const form = formOf(options);
    if (!form.isText && options.output === undefined && process.stdout.isTTY)
      throw new UsageError(
        `${nameOf(form)} is binary, which a terminal cannot show; add --output FILE, or a pipe`,
      );
    const selection = parseText(options.select ?? '');
    const located = await locateNode(address, { netcdfShuffle: options.netcdfShuffle });
    try {
      let slice = (await arrayOf(located)).select(selection);
      for (const name of options.field ?? []) slice = slice.field(name);
      const file = form.open(slice, { newline: '\n' });
      const plain = form.isText ? withFinalNewline(piecesOf(file)) : piecesOf(file);
      const isForTerminal = options.output === undefined && process.stdout.isTTY;
      const pieces = isForTerminal ? forTerminal(plain) : plain;
      // No file is created if the first piece fails.
      await writeOutput(startingWith(await pieces.next(), pieces), options.output);
    } finally {
      await located.hierarchy.store.close();
    }
  });
}

function nameOf({ name }: FileForm): string {
  return name.toLowerCase();
}

/** @throws UsageError */
function formOf({ format, output }: GetOptions): FileForm {
  const byExtension = fileForms.find(({ extension }) => output?.toLowerCase().endsWith(extension));
  const name = format ?? (byExtension === undefined ? 'json' : nameOf(byExtension));
  const form = fileForms.find((one) => nameOf(one) === name);
  if (form === undefined)
    throw new UsageError(`--format ${JSON.stringify(name)} must be one of ${formatNames.join(', ')}`);
  return form;
}

function parseText(text: string): Selection {
  try {
    return parseSelection(text);
  } catch (error) {
    if (isZarrError(error)) throw new UsageError(`--select: ${error.detail}`, { cause: error });
    throw error;
  }
}

async function* piecesOf(file: SliceFile): AsyncGenerator<string | Uint8Array> {
  const read = readInParts({
    limits: defaultLimits,
    signal: undefined,
    maxBytes: Infinity,
    versions: undefined,
  });
  yield* file.pieces(read, 0, file.byteLength ?? 0);
}

async function* withFinalNewline(
  pieces: AsyncGenerator<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  let last: string | Uint8Array = '';
  for await (const piece of pieces) {
    last = piece;
    yield piece;
  }
  if (typeof last !== 'string' || !last.endsWith('\n')) yield '\n';
}

/** Escapes control characters, which a terminal would interpret. */
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

/** @throws NotFoundError for a group, naming some of the arrays below it */
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
