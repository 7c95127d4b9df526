/**
 * A window: the tasks of a direct read that threads share at one time, in shared memory. A task is a run of
 * chunks that one thread reads; neighbours in a shard are read by one request. Threads take tasks by an
 * atomic counter and record the state of each chunk.
 *
 *     6 int32: next task, cancelled, threads that joined (negative once no thread may join),
 *     threads that left, requests, bytes
 *     int32 per task: first chunk
 *     uint8 per chunk: its state
 *     float64 per chunk: file, offset, length (-1: the whole file), CRC-32 (-1: any), position in
 *     the chunk grid
 */
import { defined } from '../../../wire/guards.js';
import type { SharedWindow } from './protocol.js';

/**
 * State of a chunk. `done`: decoded to the destination of the thread. `placed`: copied from a ring, or decoded, by the
 * owner of the read. When all threads have replied, the store reads the remaining chunks, except those that
 * are `absent`.
 */
export const chunkState = { open: 0, done: 1, absent: 2, failed: 3, placed: 4 } as const;

export interface WindowChunk {
  readonly file: number;
  readonly offset: number;
  /** Length of the chunk in its file; undefined for the whole file. */
  readonly length: number | undefined;
  /** Required CRC-32 of the bytes; undefined for any. */
  readonly crc: number | undefined;
  readonly position: readonly number[];
}

export interface Window {
  readonly shared: SharedWindow;
  /** Takes the next task; undefined if none is left or the read was cancelled. */
  take(): number | undefined;
  hasTasks(): boolean;
  isCancelled(): boolean;
  cancel(): void;
  /**
   * Called when a thread starts to take tasks.
   * @returns false if it must not take any, because the window may be over
   */
  join(): boolean;
  /** Called when a thread has finished its last task. It no longer accesses the window. */
  leave(requests: number, bytes: number): void;
  /**
   * Whether no tasks are left, or the read was cancelled, and no thread works on one. From then on, no thread can
   * join.
   */
  isOver(): boolean;
  /** Number of requests and bytes of the threads that have left. */
  read(): { readonly requests: number; readonly bytes: number };
  /** The chunks of a task: `first` (inclusive) to `end` (exclusive). */
  chunksOf(task: number): { readonly first: number; readonly end: number };
  chunk(at: number): WindowChunk;
  stateOf(at: number): number;
  setState(at: number, state: number): void;
}

const NEXT_TASK = 0;
const CANCELLED = 1;
const JOINED = 2;
const LEFT = 3;
const REQUESTS = 4;
const BYTES = 5;
const HEAD = 6;
/** Sign bit of the number of threads that joined. */
const CLOSED = -(2 ** 31);
/** Number of entries of a chunk that precede its position. */
const CHUNK_HEAD = 4;

/** @param tasks index of the first chunk of each task, ascending from 0 */
export function createWindow(
  { number, files, versions, rank }: Pick<SharedWindow, 'number' | 'files' | 'versions' | 'rank'>,
  tasks: readonly number[],
  chunks: readonly WindowChunk[],
): Window {
  const width = CHUNK_HEAD + rank;
  const { states, table, bytes } = offsets(tasks.length, chunks.length, width);
  const memory = new SharedArrayBuffer(bytes);
  new Int32Array(memory, HEAD * 4, tasks.length).set(tasks);
  const rows = new Float64Array(memory, table, chunks.length * width);
  let row = 0;
  for (const { file, offset, length, crc, position } of chunks) {
    rows[row] = file;
    rows[row + 1] = offset;
    rows[row + 2] = length ?? -1;
    rows[row + 3] = crc ?? -1;
    rows.set(position, row + CHUNK_HEAD);
    row += width;
  }
  new Uint8Array(memory, states, chunks.length).fill(chunkState.open);
  return openWindow({ number, files, versions, rank, tasks: tasks.length, chunks: chunks.length, memory });
}

export function openWindow(shared: SharedWindow): Window {
  const { tasks, chunks, rank, memory } = shared;
  const width = CHUNK_HEAD + rank;
  const { states: statesAt, table } = offsets(tasks, chunks, width);
  const control = new Int32Array(memory, 0, HEAD);
  const firsts = new Int32Array(memory, HEAD * 4, tasks);
  const states = new Uint8Array(memory, statesAt, chunks);
  const rows = new Float64Array(memory, table, chunks * width);
  const isCancelled = (): boolean => Atomics.load(control, CANCELLED) !== 0;
  return {
    shared,
    take() {
      if (isCancelled() || Atomics.load(control, NEXT_TASK) >= tasks) return undefined;
      const task = Atomics.add(control, NEXT_TASK, 1);
      return task < tasks ? task : undefined;
    },
    hasTasks: () => !isCancelled() && Atomics.load(control, NEXT_TASK) < tasks,
    isCancelled,
    cancel: () => void Atomics.store(control, CANCELLED, 1),
    join() {
      for (let joined = Atomics.load(control, JOINED); joined >= 0;) {
        const current = Atomics.compareExchange(control, JOINED, joined, joined + 1);
        if (current === joined) return true;
        joined = current;
      }
      return false;
    },
    leave(requests, bytes) {
      Atomics.add(control, REQUESTS, requests);
      Atomics.add(control, BYTES, bytes);
      Atomics.add(control, LEFT, 1);
    },
    isOver() {
      if (!isCancelled() && Atomics.load(control, NEXT_TASK) < tasks) return false;
      const joined = Atomics.or(control, JOINED, CLOSED) & ~CLOSED;
      return Atomics.load(control, LEFT) === joined;
    },
    read: () => ({ requests: Atomics.load(control, REQUESTS), bytes: Atomics.load(control, BYTES) }),
    chunksOf: (task) => ({ first: defined(firsts[task]), end: firsts[task + 1] ?? chunks }),
    chunk(at) {
      const row = at * width;
      const length = defined(rows[row + 2]);
      const crc = defined(rows[row + 3]);
      return {
        file: defined(rows[row]),
        offset: defined(rows[row + 1]),
        length: length < 0 ? undefined : length,
        crc: crc < 0 ? undefined : crc,
        position: Array.from({ length: rank }, (_, d) => defined(rows[row + CHUNK_HEAD + d])),
      };
    },
    stateOf: (at) => Atomics.load(states, at),
    setState: (at, state) => void Atomics.store(states, at, state),
  };
}

function offsets(
  tasks: number,
  chunks: number,
  width: number,
): { readonly states: number; readonly table: number; readonly bytes: number } {
  const states = (HEAD + tasks) * 4;
  const table = Math.ceil((states + chunks) / 8) * 8;
  return { states, table, bytes: table + chunks * width * 8 };
}
