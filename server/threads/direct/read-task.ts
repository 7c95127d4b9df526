/**
 * Reads, decodes and reduces one task of a direct read. Adjacent parts of a file are read by one request, with the
 * store's code.
 */
import { crc32 } from '#crc';
import { decodeChunk } from '../../format/codec/run-chain.js';
import type { ReadMemory } from '../../store/filesystem/read-file.js';
import type { ReadResult, ReadRequest } from '../../store/store.js';
import type { ReadPlan, ReadTask } from '../../format/plan/plan.js';
import { partialNow, axesOfTask, workOfTask, type ReduceRule } from '../../compute/reduce/partial.js';
import { runToEnd } from '../../core/turns.js';
import { neededSpan } from '../../format/plan/region.js';
import { chunkState, type Window, type WindowChunk } from './window.js';

/** Like `LocalFiles.readNow`. */
export type ReadNow = (request: ReadRequest, memory: ReadMemory) => ReadResult | 'elsewhere';

/** The requests of one thread for a window, for metrics, and the results that the window does not contain. */
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
 * Reads and decodes the chunks of a task, and records the state of each in the window.
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
  const decode = (at: number, chunk: WindowChunk, encoded: Uint8Array): void => {
    const partial = each(at, chunk, encoded);
    if (partial !== undefined) tally.partials.push([at, partial]);
  };
  // A task consists of adjacent parts of one file, in the order of their offsets, or of whole files.
  for (let at = first; at < end;) {
    const span = spanFrom(window, at, end);
    const result = readSpan(window, span, readNow, memory, tally);
    for (const chunk of span.chunks) {
      window.setState(at, stateAfter(result, span, at, chunk, decode));
      at++;
    }
    if (typeof result === 'object') memory.pool?.release(result.bytes);
  }
}

interface Span {
  readonly file: number;
  readonly offset: number;
  /** Length of the part; undefined for a whole file. */
  readonly length: number | undefined;
  readonly chunks: readonly WindowChunk[];
}

/** The next whole file, or all remaining parts of the file. */
function spanFrom(window: Window, at: number, end: number): Span {
  const first = window.chunk(at);
  const { file, offset, length } = first;
  const chunks = [first];
  if (length === undefined) return { file, offset, length, chunks };
  let until = offset + length;
  while (++at < end) {
    const chunk = window.chunk(at);
    until = Math.max(until, chunk.offset + (chunk.length ?? 0));
    chunks.push(chunk);
  }
  return { file, offset, length: until - offset, chunks };
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
    const result = readNow(request, memory);
    tally.requests++;
    if (typeof result !== 'object') return result;
    tally.bytes += result.bytes.length;
    if (expected === undefined && result.version !== undefined) tally.versions.push([file, result.version]);
    return result;
  } catch {
    // The store reads the chunk again and reports the error.
    return 'elsewhere';
  }
}

function stateAfter(
  result: ReadResult | 'elsewhere',
  span: Span,
  at: number,
  chunk: WindowChunk,
  decode: (at: number, chunk: WindowChunk, encoded: Uint8Array) => void,
): number {
  // A missing file does not make its part an absent chunk.
  if (result === undefined) return chunk.length === undefined ? chunkState.absent : chunkState.failed;
  if (typeof result === 'string') return chunkState.failed;
  const start = chunk.offset - span.offset;
  const encoded =
    chunk.length === undefined ? result.bytes : result.bytes.subarray(start, start + chunk.length);
  if (chunk.length !== undefined && encoded.length !== chunk.length) return chunkState.failed;
  if (chunk.crc !== undefined && crc32(encoded) !== chunk.crc) return chunkState.failed;
  try {
    decode(at, chunk, encoded);
    return chunkState.done;
  } catch {
    return chunkState.failed;
  }
}

/** Decodes and reduces a chunk, on a pool thread or on the owner of the read. @throws errors from `decodeChunk` */
export function reduceChunk(plan: ReadPlan, task: ReadTask, encoded: Uint8Array, rule: ReduceRule): unknown {
  const { chain } = plan.layout;
  const decoded = decodeChunk(chain, encoded, plan.cost.chunkBytes, undefined, neededSpan(plan, task));
  return partialNow(runToEnd(workOfTask(rule, task, runToEnd(axesOfTask(rule, task)))), decoded);
}
