/** Reads the stored bytes of one task: adjacent parts of a file by one request, with the store's code. */
import { crc32 } from '#crc';
import type { ReadMemory } from '../../store/filesystem/read-file.js';
import type { ReadResult, ReadRequest } from '../../store/store.js';
import { chunkState, type Window, type WindowChunk } from './window.js';

/** Like `LocalFiles.readNow`. */
export type ReadNow = (request: ReadRequest, memory: ReadMemory) => ReadResult | 'elsewhere';

/** Receives the number of bytes read, for metrics. */
export interface TaskTally {
  requests: number;
  bytes: number;
  /** Versions of the files that were read without a required version. */
  readonly versions: (readonly [file: number, version: string])[];
  /** Partial results of the window's reduced chunks. */
  readonly partials: (readonly [at: number, partial: unknown])[];
}

export function createTally(): TaskTally {
  return { requests: 0, bytes: 0, versions: [], partials: [] };
}

/**
 * Records the state of each chunk in the window.
 * @param memory buffer for the stored bytes, which are valid only within `each`
 * @param each decodes a chunk and returns its partial result, for a reduction. If it throws, the
 *   store reads the chunk again
 */
export function readTask(
  window: Window,
  task: number,
  readNow: ReadNow,
  memory: ReadMemory,
  tally: TaskTally,
  each: (at: number, chunk: WindowChunk, encoded: Uint8Array) => unknown,
): void {
  const { first, end } = window.chunksOf(task);
  const chunks = Array.from({ length: end - first }, (_, i) => window.chunk(first + i));
  for (const span of spansOf(chunks)) {
    const answer = readSpan(window, span, readNow, memory, tally);
    for (const { at, chunk } of span.members) {
      const state = stateAfter(answer, span, chunk, (encoded) => {
        const partial = each(first + at, chunk, encoded);
        if (partial !== undefined) tally.partials.push([first + at, partial]);
      });
      window.setState(first + at, state);
    }
    if (typeof answer === 'object') memory.pool?.release(answer.bytes);
  }
}

interface Span {
  readonly file: number;
  readonly offset: number;
  /** undefined: a whole file. */
  readonly length: number | undefined;
  readonly members: { readonly at: number; readonly chunk: WindowChunk }[];
}

/** A task consists of adjacent parts of one file, in the order of their offsets, or of whole files. */
function spansOf(chunks: readonly WindowChunk[]): Span[] {
  const [first] = chunks;
  const last = chunks[chunks.length - 1];
  if (first?.length === undefined || last?.length === undefined)
    return chunks.map((chunk, at) => ({ ...chunk, members: [{ at, chunk }] }));
  const end = chunks.reduce((most, { offset, length = 0 }) => Math.max(most, offset + length), 0);
  const members = chunks.map((chunk, at) => ({ at, chunk }));
  return [{ file: first.file, offset: first.offset, length: end - first.offset, members }];
}

function readSpan(
  { shared }: Window,
  { file, offset, length }: Span,
  readNow: ReadNow,
  memory: ReadMemory,
  tally: TaskTally,
): ReadResult | 'elsewhere' {
  const expected = shared.versions[file];
  const request: ReadRequest = {
    key: shared.files[file] ?? '',
    ...(length === undefined ? {} : { range: { offset, length } }),
    ...(expected === undefined ? {} : { ifMatch: expected }),
  };
  try {
    const answer = readNow(request, memory);
    tally.requests++;
    if (typeof answer !== 'object') return answer;
    tally.bytes += answer.bytes.length;
    if (expected === undefined && answer.version !== undefined) tally.versions.push([file, answer.version]);
    return answer;
  } catch {
    // The store reads it again and reports the error.
    return 'elsewhere';
  }
}

function stateAfter(
  answer: ReadResult | 'elsewhere',
  span: Span,
  chunk: WindowChunk,
  decode: (encoded: Uint8Array) => void,
): number {
  // A missing file does not make its part an absent chunk.
  if (answer === undefined) return chunk.length === undefined ? chunkState.absent : chunkState.failed;
  if (typeof answer === 'string') return chunkState.failed;
  const start = chunk.offset - span.offset;
  const encoded =
    chunk.length === undefined ? answer.bytes : answer.bytes.subarray(start, start + chunk.length);
  if (chunk.length !== undefined && encoded.length !== chunk.length) return chunkState.failed;
  if (chunk.crc !== undefined && crc32(encoded) !== chunk.crc) return chunkState.failed;
  try {
    decode(encoded);
    return chunkState.done;
  } catch {
    return chunkState.failed;
  }
}
