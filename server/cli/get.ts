import { createCoordinateCache, createCoordinateReader } from '../dataset/coordinate-reader.js';
import { labelTexts } from '../dataset/labels/label-texts.js';
import { labelSlices, remainingAttributes } from '../analysis/labelled-set.js';
import { coordinatesOfSlice } from '../dataset/slice-coordinates.js';
import { isVariable } from '../dataset/variable.js';
import type { FileForm, FileOptions, ReadParts } from '../transport/forms/form.js';
import type { LabelledSet } from '../transport/labelled-set.js';
import type { SetForm } from '../transport/sets/set-form.js';
import { isSetFormat, setForms } from '../transport/sets/set-forms.js';
import { fileForms } from '../transport/forms/forms.js';
import { readInParts } from '../transport/href/read-in-parts.js';
import { defaultLimits } from '../zarr/index.js';
import {
  openSlice,
  parseOperations,
  parseSliceOptions,
  type SliceOptions,
  type OpenedSlice,
} from './array-slice.js';
import { type LocatedNode, locateNode } from './locate-node.js';
import { assertNew, writeOutput } from './output.js';
import { printableLines } from './printable.js';
import { runCommand, UsageError } from './run-command.js';

export interface GetCommandOptions extends SliceOptions {
  /** One of `formatNames`. @default from the extension of `output`; json without `output` */
  readonly format?: string;
  /** For `arrow`: see `SetOptions.rows`. */
  readonly rows?: readonly string[];
  /** Path of the file to write. @default stdout */
  readonly output?: string;
  /** Whether existing files are replaced. @default false */
  readonly overwrite?: boolean;
}

/** Names of the output forms on the command line. */
type OutputForm = FileForm | SetForm;

export const outputForms: readonly OutputForm[] = [...fileForms, ...setForms];

export const formatNames: readonly string[] = outputForms.map(nameOf);

function isSetForm(form: OutputForm): form is SetForm {
  return isSetFormat(form.name);
}

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
    parseSliceOptions(options);
    const steps = await parseOperations(options);
    await assertNew(options.output, options.overwrite);
    const located = await locateNode(address, options);
    try {
      const opened = await openSlice(located, options, steps);
      const raw = await piecesOf(form, opened, options, located);
      const plain = form.isText ? withFinalNewline(raw) : raw;
      const isForTerminal = options.output === undefined && process.stdout.isTTY;
      const pieces = isForTerminal ? forTerminal(plain) : plain;
      // No file is created if the first piece fails.
      await writeOutput(startingWith(await pieces.next(), pieces), options.output);
    } finally {
      await located.hierarchy.store.close();
    }
  });
}

function nameOf({ name }: OutputForm): string {
  return name.toLowerCase();
}

/** @throws UsageError for an unknown format, or if the format cannot be derived from the file name */
function formOf({ format, output }: GetCommandOptions): OutputForm {
  if (
    output !== undefined &&
    format === undefined &&
    !outputForms.some(({ extension }) => output.toLowerCase().endsWith(extension))
  )
    throw new UsageError(
      `cannot derive the format from --output ${output}; add --format with one of ${formatNames.join(', ')}`,
    );
  const byExtension = outputForms.find(({ extension }) => output?.toLowerCase().endsWith(extension));
  const name = format ?? (byExtension === undefined ? 'json' : nameOf(byExtension));
  const form = outputForms.find((candidate) => nameOf(candidate) === name);
  if (form === undefined)
    throw new UsageError(`--format ${JSON.stringify(name)} must be one of ${formatNames.join(', ')}`);
  return form;
}

async function piecesOf(
  form: OutputForm,
  opened: OpenedSlice,
  options: GetCommandOptions,
  located: LocatedNode,
): Promise<AsyncGenerator<string | Uint8Array>> {
  const readOf = (): ReadParts =>
    readInParts({ limits: defaultLimits, signal: undefined, maxBytes: Infinity, versions: undefined });
  if (isSetForm(form))
    return form.open(await labelledSlice(opened, options, located), options).pieces(readOf);
  if (options.rows !== undefined) throw new UsageError('--rows requires --format arrow');
  const labels = form.name === 'CSV' ? await textsOf(opened) : { labels: [] };
  const file = form.open(opened.slice, { newline: '\n', ...labels });
  return file.pieces(readOf(), 0, file.byteLength ?? 0);
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

/** The slice with its coordinates. Its units apply unless values were reduced. */
async function labelledSlice(
  { slice, dataset, units }: OpenedSlice,
  { group, reduce = [], compute }: SliceOptions,
  { node }: LocatedNode,
): Promise<LabelledSet> {
  const coordinates = createCoordinateReader(createCoordinateCache(), (coordinate, options) =>
    coordinate.read(options),
  );
  const variable = dataset?.variables.get(node.name);
  const isPlain = group === undefined && reduce.length === 0;
  const own = isVariable(variable) ? variable.attributes : {};
  const described = {
    name: compute === undefined && node.name !== '' ? node.name : 'values',
    slice,
    attributes: {
      ...(compute === undefined
        ? remainingAttributes(own, { keepsUnits: isPlain, keepsValues: isPlain })
        : { long_name: compute }),
      ...(units === undefined ? {} : { units }),
    },
    coordinates: coordinatesOfSlice(slice, dataset),
  };
  return labelSlices([described], dataset?.attributes ?? {}, coordinates);
}

/** @throws errors from reading a coordinate */
async function textsOf({ slice, dataset }: OpenedSlice): Promise<Pick<FileOptions, 'labels' | 'beside'>> {
  if (dataset === undefined) return { labels: slice.dims.map(() => undefined) };
  const coordinates = createCoordinateReader(createCoordinateCache(), (coordinate, options) =>
    coordinate.read(options),
  );
  const { texts, beside } = await labelTexts(slice, { dataset: async () => dataset, coordinates });
  return { labels: texts, beside };
}
