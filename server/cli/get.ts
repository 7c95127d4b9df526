import { createCoordinateCache, createCoordinateReader } from '../dataset/coordinate-reader.js';
import { labelsAlong } from '../dataset/labels/labels-along.js';
import type { FileForm, SliceFile } from '../transport/forms/form.js';
import { fileForms } from '../transport/forms/forms.js';
import { readInParts } from '../transport/href/read-in-parts.js';
import { defaultLimits, isZarrError, type LazySlice } from '../zarr/index.js';
import { openSlice, parseSliceOptions, type SliceOptions, type OpenedSlice } from './array-slice.js';
import { locateNode } from './locate-node.js';
import { assertNew, writeOutput } from './output.js';
import { printableLines } from './printable.js';
import { runCommand, UsageError } from './run-command.js';

export interface GetCommandOptions extends SliceOptions {
  /** One of `formatNames`. @default from the extension of `output`; json without `output` */
  readonly format?: string;
  /** Path of the file to write. @default stdout */
  readonly output?: string;
  /** Whether existing files are replaced. @default false */
  readonly overwrite?: boolean;
}

/** Names of the output forms on the command line. */
export const formatNames: readonly string[] = fileForms.map(nameOf);

/**
 * `zarrql get`: prints values of an array, part by part, so that they need not fit in memory. Data types that the
 * format does not support are rejected before values of the array are read.
 */
export function runGet(address: string, options: GetCommandOptions): Promise<void> {
  return runCommand(async () => {
    const form = formOf(options);
    if (!form.isText && options.output === undefined && process.stdout.isTTY)
      throw new UsageError(
        `${nameOf(form)} is binary, which a terminal cannot display; add --output FILE, or use a pipe`,
      );
    const parsed = parseSliceOptions(options);
    await assertNew(options.output, options.overwrite);
    const located = await locateNode(address, options);
    try {
      const opened = await openSlice(located, options, parsed);
      const labels = form.name === 'CSV' ? await labelTexts(opened) : [];
      const file = form.open(opened.slice, { newline: '\n', labels });
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

/** @throws UsageError for an unknown format, or if the format cannot be derived from the file name */
function formOf({ format, output }: GetCommandOptions): FileForm {
  if (
    output !== undefined &&
    format === undefined &&
    !fileForms.some(({ extension }) => output.toLowerCase().endsWith(extension))
  )
    throw new UsageError(
      `cannot derive the format from --output ${output}; add --format with one of ${formatNames.join(', ')}`,
    );
  const byExtension = fileForms.find(({ extension }) => output?.toLowerCase().endsWith(extension));
  const name = format ?? (byExtension === undefined ? 'json' : nameOf(byExtension));
  const form = fileForms.find((candidate) => nameOf(candidate) === name);
  if (form === undefined)
    throw new UsageError(`--format ${JSON.stringify(name)} must be one of ${formatNames.join(', ')}`);
  return form;
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

/**
 * @returns one function per dimension, from a position to the text of its label; undefined without a
 * coordinate
 * @throws errors from reading a coordinate
 */
async function labelTexts({ slice, dataset }: OpenedSlice): Promise<(((i: number) => string) | undefined)[]> {
  if (dataset === undefined) return slice.dims.map(() => undefined);
  const coordinates = createCoordinateReader(createCoordinateCache(), (coordinate) => coordinate.read());
  const scope = { dataset: async () => dataset, coordinates };
  return Promise.all(slice.dims.map((_, d) => textsAlong(slice, d, scope)));
}

async function textsAlong(
  slice: LazySlice,
  d: number,
  scope: Parameters<typeof labelsAlong>[3],
): Promise<((i: number) => string) | undefined> {
  try {
    const { keys } = await labelsAlong(slice, d, undefined, scope, 'inAnyOrder');
    const texts: string[] = [];
    return (i) => (texts[i] ??= keys.at(i) === undefined ? '' : plain(keys.show(i)));
  } catch (error) {
    // The dimension has no coordinate; its values are identified by position.
    if (isZarrError(error, 'BAD_SELECTION')) return undefined;
    throw error;
  }
}

/** Converts a displayed label to plain text. Text and dates are displayed as JSON, in quotes. */
function plain(shown: string): string {
  return shown.startsWith('"') ? String(JSON.parse(shown)) : shown;
}
