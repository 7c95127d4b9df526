/**
 * Reads chunks of local files on this thread, one after the other, without awaiting anything per chunk. Places decoded
 * bytes directly from the memory of the codec. Figures: docs/benchmarks.md, "Reads: attempts".
 */
import { createPause, turnMs } from '../../../core/turns.js';
import { crc32 } from '#crc';
import { planReads, type CoalesceBounds, type Member } from '../../../store/with-coalescing.js';
import { encodedBuffers } from '../../../core/bytes/buffer-pool.js';
import type { FilePart, LocalFiles, PartMemory, ReadResult, ReadRequest } from '../../../store/store.js';
import type { ChunkPart } from '../chunk-parts.js';
import type { ReadTask } from '../../../format/plan/plan.js';
import type { LocatedTask } from './build-window.js';

export interface SerialWork {
  readonly signal: AbortSignal;
  /** Maximum stored size of a chunk in bytes. */
  readonly maxBytes: number;
  /** The part of a chunk's file that a task needs; undefined for all of it. */
  readonly partOf: ((task: ReadTask) => ChunkPart | undefined) | undefined;
  /** Decoded size, in bytes, of a chunk that is read partially. */
  readonly chunkBytes: number;
  /**
   * @param bytes stored bytes, valid only during the call, because their buffer is reused
   * @throws an error if the bytes cannot be decoded
   */
  decode(task: ReadTask, bytes: Uint8Array, isPart: boolean): void;
  done(chunk: LocatedTask, version: string | undefined): void;
  absent(task: ReadTask): void;
  /** The pipeline reads the chunk again, and reports any error. */
  failed(chunk: LocatedTask): void;
}

/** A request, and the chunks that it reads. */
interface SerialRequest {
  readonly request: ReadRequest;
  readonly chunks: readonly (LocatedTask & { readonly start: number; readonly isPart: boolean })[];
}

/** Neighbours in a file are read together while the bytes fit in the processor's cache. */
const bounds: CoalesceBounds = { maxGapBytes: 4096, maxMergedBytes: 2 ** 19 };

/** @returns a promise that also resolves if the signal fires */
export async function readSerially(
  located: readonly LocatedTask[],
  files: LocalFiles,
  work: SerialWork,
): Promise<void> {
  const start = performance.now();
  const requests = requestsOf(located, work);
  const memory = { maxBytes: work.maxBytes, pool: encodedBuffers };
  let bytes = 0;
  const pause = createPause(undefined, turnMs.reading);
  for (const request of requests) {
    const paused = pause();
    if (paused !== undefined) await paused;
    if (work.signal.aborted) return;
    const result = tryRead(files, request.request, memory);
    settle(request, result, work);
    if (typeof result !== 'object') continue;
    bytes += result.bytes.length;
    encodedBuffers.release(result.bytes);
  }
  files.ended({ requests: requests.length, bytes, milliseconds: performance.now() - start });
}

function requestsOf(located: readonly LocatedTask[], { partOf }: SerialWork): SerialRequest[] {
  const requests: SerialRequest[] = [];
  for (const chunk of located) {
    if (chunk.part.length !== undefined) return requestsTogether(located);
    const range = partOf?.(chunk.task);
    const chunks = [{ start: 0, isPart: range !== undefined, ...chunk }];
    requests.push({ request: requestOf(chunk.part, range), chunks });
  }
  return requests;
}

/** Groups neighbouring parts of files into requests, so that they are read together. */
function requestsTogether(located: readonly LocatedTask[]): SerialRequest[] {
  const planned = planReads(
    located.map(({ part }) => requestOf(part, undefined)),
    bounds,
  );
  return planned.map((read) => ({
    request: read.request,
    chunks: membersOf(read).flatMap(({ index, start }) => {
      const chunk = located[index];
      return chunk === undefined ? [] : [{ start, isPart: false, ...chunk }];
    }),
  }));
}

function membersOf(read: ReturnType<typeof planReads>[number]): readonly Pick<Member, 'index' | 'start'>[] {
  return read.members ?? [{ index: read.index, start: 0 }];
}

function requestOf(
  { file, offset, length, fileVersion }: FilePart,
  part: ChunkPart | undefined,
): ReadRequest {
  const range = length === undefined ? part : { offset, length };
  return {
    key: file,
    ...(range === undefined ? {} : { range }),
    ...(fileVersion === undefined ? {} : { ifMatch: fileVersion }),
  };
}

function tryRead(files: LocalFiles, request: ReadRequest, memory: PartMemory): ReadResult | 'elsewhere' {
  try {
    return files.isSlow() ? 'elsewhere' : files.readNow(request, memory);
  } catch {
    return 'elsewhere';
  }
}

function settle({ chunks }: SerialRequest, result: ReadResult | 'elsewhere', work: SerialWork): void {
  for (const chunk of chunks) {
    const { task, part, start, isPart } = chunk;
    // A missing file does not make its part an absent chunk.
    if (result === undefined && part.length === undefined) work.absent(task);
    else if (typeof result !== 'object' || (isPart && result.total !== work.chunkBytes)) work.failed(chunk);
    else {
      const { length, crc } = part;
      const stored = length === undefined ? result.bytes : result.bytes.subarray(start, start + length);
      const isValid =
        (length === undefined || stored.length === length) && (crc === undefined || crc32(stored) === crc);
      if (isValid && tryDecode(work, task, stored, isPart)) work.done(chunk, result.version);
      else work.failed(chunk);
    }
  }
}

function tryDecode(work: SerialWork, task: ReadTask, stored: Uint8Array, isPart: boolean): boolean {
  try {
    work.decode(task, stored, isPart);
    return true;
  } catch {
    return false;
  }
}
