/**
 * What every thread runs to read files directly: reads spans, which are parts of files that one request reads, with the
 * checks of the store, and decodes their chunks.
 */
import { crc32 } from '#crc';
import { runToEnd } from '../core/turns.js';
import { decodeChunk } from '../format/codec/run-chain.js';
import type { ReadPlan, ReadTask } from '../format/plan/plan.js';
import { neededSpan } from '../format/plan/region.js';
import { axesOfTask, partialNow, workOfTask, type ReduceRule } from '../compute/reduce/partial.js';
import type { Sink } from '../compute/reduce/sink.js';
import type {
  FilePart,
  LocalFiles,
  PartMemory,
  ReadRequest,
  ReadResult,
  StoreValue,
} from '../store/store.js';

export interface SpanChunk {
  /** Offset of the chunk in the span, in bytes. */
  readonly start: number;
  /** Length in bytes; undefined for the whole span. */
  readonly length: number | undefined;
  /** Required CRC-32 of the bytes; undefined for any. */
  readonly crc: number | undefined;
}

/** A request, and the chunks that it reads. */
export interface Span<C extends SpanChunk = SpanChunk> {
  readonly request: ReadRequest;
  readonly chunks: readonly C[];
}

/** Maximum gap, in bytes, between two chunks of a file that are read together. The gap is read and discarded. */
const MAX_GAP_BYTES = 4096;
/** Maximum number of bytes of a request for several chunks. They fit in the processor's cache. */
const MAX_SPAN_BYTES = 2 ** 19;

/** Sorts chunks by file and offset, so that neighbours are adjacent. Files remain in the order of the chunks. */
export function sortedByFile<T extends { readonly part: FilePart }>(located: readonly T[]): readonly T[] {
  if (located.every(({ part }) => part.length === undefined)) return located;
  const byFile = new Map<string, T[]>();
  for (const chunk of located) {
    const list = byFile.get(chunk.part.file);
    if (list === undefined) byFile.set(chunk.part.file, [chunk]);
    else list.push(chunk);
  }
  return [...byFile.values()].flatMap((list) => list.sort((a, b) => a.part.offset - b.part.offset));
}

/**
 * Groups chunks into requests.
 * @param located chunks in the order of `sortedByFile`
 * @param chunkOf adds what the reader needs to a chunk
 */
export function spansOf<T extends { readonly part: FilePart }, C extends SpanChunk>(
  located: readonly T[],
  chunkOf: (chunk: T, place: SpanChunk) => C,
): Span<C>[] {
  const spans: Span<C>[] = [];
  for (let at = 0; at < located.length;) {
    const first = located[at];
    if (first === undefined) break;
    const { file, offset, length, fileVersion, crc } = first.part;
    const chunks = [chunkOf(first, { start: 0, length, crc })];
    at++;
    if (length === undefined) {
      const request = fileVersion === undefined ? { key: file } : { key: file, ifMatch: fileVersion };
      spans.push({ request, chunks });
      continue;
    }
    let end = offset + length;
    for (let next = located[at]; next !== undefined; next = located[++at]) {
      const { part } = next;
      if (part.length === undefined || part.file !== file || part.fileVersion !== fileVersion) break;
      const nextEnd = Math.max(end, part.offset + part.length);
      if (part.offset - end > MAX_GAP_BYTES || nextEnd - offset > MAX_SPAN_BYTES) break;
      chunks.push(chunkOf(next, { start: part.offset - offset, length: part.length, crc: part.crc }));
      end = nextEnd;
    }
    const range = { offset, length: end - offset };
    const request =
      fileVersion === undefined ? { key: file, range } : { key: file, range, ifMatch: fileVersion };
    spans.push({ request, chunks });
  }
  return spans;
}

/** Reads an object on this thread; see `LocalFiles`. */
export type ReadNow = LocalFiles['readNow'];

/** Counts requests, for metrics. */
export interface Tally {
  requests: number;
  bytes: number;
}

/** The stored bytes of a chunk; undefined if they could not be read: the store reads them again, and reports the error. */
export type Stored = Uint8Array | 'absent' | undefined;

/**
 * Reads a span.
 * @param memory buffer for the bytes, which are valid only within `each`
 * @param each receives every chunk, with the part of the file that was read
 */
export function readSpan<C extends SpanChunk>(
  { request, chunks }: Span<C>,
  readNow: ReadNow,
  memory: PartMemory,
  tally: Tally,
  each: (chunk: C, stored: Stored, value: StoreValue | undefined) => void,
): void {
  let result: ReadResult | 'elsewhere';
  try {
    result = readNow(request, memory);
    tally.requests++;
  } catch {
    result = 'elsewhere';
  }
  const value = typeof result === 'object' ? result : undefined;
  tally.bytes += value?.bytes.length ?? 0;
  for (const chunk of chunks) {
    // A missing file does not make its part an absent chunk.
    const isAbsent = result === undefined && chunk.length === undefined;
    each(chunk, isAbsent ? 'absent' : storedOf(chunk, value), value);
  }
  if (value !== undefined) memory.pool?.release(value.bytes);
}

function storedOf({ start, length, crc }: SpanChunk, value: StoreValue | undefined): Uint8Array | undefined {
  if (value === undefined) return undefined;
  const stored = length === undefined ? value.bytes : value.bytes.subarray(start, start + length);
  if (length !== undefined && stored.length !== length) return undefined;
  return crc === undefined || crc32(stored) === crc ? stored : undefined;
}

/**
 * Decodes the chunk of a task, and passes it on.
 * @throws errors from `decodeChunk` and the sink
 */
export function decodeTask(
  plan: ReadPlan,
  task: ReadTask,
  encoded: Uint8Array,
  sink: Pick<Sink<unknown>, 'chunk' | 'into'>,
): void {
  const { chain, bytes } = task.form;
  const needed = neededSpan(plan, task);
  sink.chunk(task, decodeChunk(chain, encoded, bytes, sink.into?.(task), needed));
}

/** Like `decodeTask`, but returns the partial result of the chunk for each rule. */
export function reduceTask(
  plan: ReadPlan,
  rules: readonly ReduceRule[],
  task: ReadTask,
  encoded: Uint8Array,
): readonly unknown[] {
  let partials: readonly unknown[] = [];
  decodeTask(plan, task, encoded, {
    chunk(_, decoded) {
      partials = rules.map((rule) =>
        partialNow(runToEnd(workOfTask(rule, task, runToEnd(axesOfTask(rule, task)))), decoded),
      );
    },
  });
  return partials;
}
