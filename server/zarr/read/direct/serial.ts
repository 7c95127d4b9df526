/**
 * Reads chunks of local files on this thread, one after the other, without awaiting anything per chunk. Places decoded
 * bytes directly from the memory of the codec.
 */
import { nextTurn } from '#platform';
import { crc32 } from '#crc';
import { planReads, type CoalesceBounds, type Member } from '../../store/coalesce.js';
import { fileBuffers } from '../../store/filesystem/buffer-pool.js';
import { KeptFile } from '../../store/filesystem/kept-file.js';
import type { FilePart, LocalFiles, PartMemory, ReadResult, ReadRequest } from '../../store/store.js';
import type { ChunkPart } from '../chunk-parts.js';
import type { ReadTask } from '../plan.js';
import type { LocatedTask } from './build-window.js';

export interface SerialWork {
  readonly signal: AbortSignal;
  /** Maximum stored bytes of a chunk. */
  readonly maxBytes: number;
  /** The part of a chunk's file that a task needs; undefined for all of it. */
  readonly partOf: ((task: ReadTask) => ChunkPart | undefined) | undefined;
  /** Size of a partially read chunk. */
  readonly chunkBytes: number;
  /**
   * @param bytes must not be used after the call, because their buffer is reused
   * @throws if they cannot be decoded
   */
  decode(task: ReadTask, bytes: Uint8Array, isPart: boolean): void;
  done(one: LocatedTask, version: string | undefined): void;
  absent(task: ReadTask): void;
  /** The pipeline reads the chunk again, and reports any error. */
  failed(one: LocatedTask): void;
}

/** A request, and the chunks that it reads. */
interface SerialRequest {
  readonly request: ReadRequest;
  readonly chunks: readonly (LocatedTask & { readonly start: number; readonly isPart: boolean })[];
}

/** Milliseconds that this thread reads and decodes before it yields. */
const TURN_MS = 8;
/** Neighbours in a file are read together while the bytes fit into the processor's cache. */
const bounds: CoalesceBounds = { maxGapBytes: 4096, maxMergedBytes: 2 ** 19 };

/** @returns resolves early if the signal fires */
export async function readSerially(
  located: readonly LocatedTask[],
  files: LocalFiles,
  work: SerialWork,
): Promise<void> {
  const start = performance.now();
  const requests = requestsOf(located, work);
  const kept = located.length > 1 ? new KeptFile() : undefined;
  const memory = { maxBytes: work.maxBytes, pool: fileBuffers, kept };
  let bytes = 0;
  let ends = start + TURN_MS;
  try {
    for (const one of requests) {
      if (performance.now() >= ends) {
        await nextTurn();
        ends = performance.now() + TURN_MS;
      }
      if (work.signal.aborted) return;
      const answer = tryRead(files, one.request, memory);
      settle(one, answer, work);
      if (typeof answer !== 'object') continue;
      bytes += answer.bytes.length;
      fileBuffers.release(answer.bytes);
    }
  } finally {
    kept?.close();
  }
  files.ended({ requests: requests.length, bytes, milliseconds: performance.now() - start });
}

function requestsOf(located: readonly LocatedTask[], { partOf }: SerialWork): SerialRequest[] {
  if (located.every(({ part }) => part.length === undefined))
    return located.map((one) => {
      const range = partOf?.(one.task);
      return {
        request: requestOf(one.part, range),
        chunks: [{ ...one, start: 0, isPart: range !== undefined }],
      };
    });
  const whole = (one: LocatedTask, start: number): SerialRequest['chunks'][number] => ({
    ...one,
    ...{ start, isPart: false },
  });
  const planned = planReads(
    located.map(({ part }) => requestOf(part, undefined)),
    bounds,
  );
  return planned.map((read) => ({
    request: read.request,
    chunks: membersOf(read).flatMap(({ index, start }) => {
      const one = located[index];
      return one === undefined ? [] : [whole(one, start)];
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

function settle({ chunks }: SerialRequest, answer: ReadResult | 'elsewhere', work: SerialWork): void {
  for (const one of chunks) {
    const { task, part, start, isPart } = one;
    // A missing file does not make its part an absent chunk.
    if (answer === undefined && part.length === undefined) work.absent(task);
    else if (typeof answer !== 'object' || (isPart && answer.total !== work.chunkBytes)) work.failed(one);
    else {
      const stored =
        part.length === undefined ? answer.bytes : answer.bytes.subarray(start, start + part.length);
      if (isValid(part, stored) && tryDecode(work, task, stored, isPart)) work.done(one, answer.version);
      else work.failed(one);
    }
  }
}

function isValid({ length, crc }: FilePart, stored: Uint8Array): boolean {
  return (length === undefined || stored.length === length) && (crc === undefined || crc32(stored) === crc);
}

function tryDecode(work: SerialWork, task: ReadTask, stored: Uint8Array, isPart: boolean): boolean {
  try {
    work.decode(task, stored, isPart);
    return true;
  } catch {
    return false;
  }
}
