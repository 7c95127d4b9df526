/** A direct read on a thread: takes tasks, reads their files and decodes chunks into the destination. */
import type { CodecChain } from '../../codec/codec.js';
import { decodeChunk } from '../../codec/decode-chunk.js';
import { CodecError } from '../../errors.js';
import { createRootConfinement, type RootConfinement } from '../../store/filesystem/root-confinement.js';
import type { BufferPool } from '../../store/filesystem/buffer-pool.js';
import { KeptFile } from '../../store/filesystem/kept-file.js';
import { readPlainFile } from '../../store/filesystem/read-inline.js';
import type { FolderAccess } from '../../store/store.js';
import type { ReadPlan, ReadTask } from '../plan.js';
import { neededSpan } from '../region.js';
import { PlaceSink } from '../sinks/place.js';
import type { Destination, OpenMessage, WakeMessage, WindowMessage, WindowReply } from './protocol.js';
import { ringBell } from './bell.js';
import { createTally, readTask, type ReadNow } from './read-task.js';
import { reduceChunk } from './reduce-chunk.js';
import { alignedBytes, isWholeChunk, packRegion, regionBytes } from './region-copy.js';
import { RingWriter } from './ring.js';
import { restorePlan, taskFinder } from './shared-plan.js';
import { openWindow, type Window, type WindowChunk } from './window.js';

/** Recently confined folders by root, as in each store. */
const boundaries = new Map<string, RootConfinement>();
const MAX_BOUNDARIES = 100;

function boundaryOf(access: FolderAccess): RootConfinement {
  const name = JSON.stringify(access);
  const known = boundaries.get(name);
  if (known !== undefined) return known;
  if (boundaries.size >= MAX_BOUNDARIES) boundaries.clear();
  const confinement = createRootConfinement(access.root, access);
  boundaries.set(name, confinement);
  return confinement;
}

/** One buffer, reused for every file. */
const buffer: BufferPool = createReusedBuffer();

function createReusedBuffer(): BufferPool {
  const maxKeptBytes = 16 * 2 ** 20;
  let kept = new ArrayBuffer(0);
  return {
    acquire(length) {
      if (length > maxKeptBytes) return new Uint8Array(length);
      if (kept.byteLength < length) kept = new ArrayBuffer(Math.ceil((length * 1.25) / 65_536) * 65_536);
      return new Uint8Array(kept, 0, length);
    },
    release() {},
  };
}

/** @returns the chunk's partial result, for a reduction */
type Decode = (at: number, chunk: WindowChunk, encoded: Uint8Array) => unknown;

/** Decodes the chunks of one task; undefined if the read was cancelled. */
type TaskOf = (chunk: WindowChunk) => ReadTask;
type BeginTask = (window: Window, task: number) => { decode: Decode; end(): void } | undefined;

export class ThreadRead {
  readonly #plan: ReadPlan;
  readonly #readNow: ReadNow;
  readonly #maxBytes: number;
  readonly #begin: BeginTask;
  readonly #bell: SharedArrayBuffer;

  constructor(read: number, message: OpenMessage, chain: CodecChain, post: (message: WakeMessage) => void) {
    const { access, destination, maxBytes, bell } = message;
    this.#bell = bell;
    this.#plan = restorePlan(message.plan, chain);
    const confinement = boundaryOf(access);
    this.#readNow = (request, memory) =>
      readPlainFile(`${access.root}/${request.key}`, request, confinement, memory, Infinity);
    this.#maxBytes = maxBytes;
    const find = taskFinder(this.#plan);
    const taskOf = ({ position }: WindowChunk): ReadTask => {
      const task = find(position);
      if (task === undefined) throw new CodecError('the chunk is not part of the read');
      return task;
    };
    this.#begin = beginTask(this.#plan, taskOf, destination, (isAsleep) => {
      if (isAsleep) post({ wake: read });
      else ringBell(bell);
    });
  }

  run({ id, window: shared }: WindowMessage): WindowReply {
    const window = openWindow(shared);
    const tally = createTally();
    if (!window.join()) return { id, versions: [], partials: [] };
    const kept = new KeptFile();
    const memory = { maxBytes: this.#maxBytes, pool: buffer, kept };
    try {
      for (let task = window.take(); task !== undefined; task = window.take()) {
        const work = this.#begin(window, task);
        if (work === undefined) break;
        readTask(window, task, this.#readNow, memory, tally, work.decode);
        work.end();
      }
    } finally {
      kept.close();
    }
    const { requests, bytes, versions, partials } = tally;
    window.leave(requests, bytes);
    ringBell(this.#bell);
    return { id, versions, partials };
  }
}

/** Tells the owner of the read that a slot is filled. @param isAsleep whether it waits for a message */
type Published = (isAsleep: boolean) => void;

function beginTask(
  plan: ReadPlan,
  taskOf: TaskOf,
  destination: Destination,
  published: Published,
): BeginTask {
  switch (destination.kind) {
    case 'result':
      return intoResult(plan, taskOf, destination.bytes);
    case 'ring':
      return intoRing(plan, taskOf, new RingWriter(ringOf(destination.ring)), published);
    case 'partials': {
      const decode: Decode = (_, chunk, encoded) =>
        reduceChunk(plan, taskOf(chunk), encoded, destination.rule);
      return () => ({ decode, end() {} });
    }
  }
}

/** Decodes directly into the result, with the sink that the owner uses. */
function intoResult(plan: ReadPlan, taskOf: TaskOf, bytes: Uint8Array): BeginTask {
  const { fill } = plan.layout.chain.rep;
  const sink = new PlaceSink(plan, fill, { out: bytes, maxOutputBytes: Infinity });
  const { chain } = plan.layout;
  const decode: Decode = (_, chunk, encoded) => {
    const task = taskOf(chunk);
    const limit = plan.cost.chunkBytes;
    sink.chunk(task, decodeChunk(chain, encoded, limit, sink.into(task), neededSpan(plan, task)));
  };
  return () => ({ decode, end() {} });
}

const rings = new Map<number, SharedArrayBuffer>();

/** Keeps the ring of a message, even if the read cannot be opened: it is sent only once. */
export function keepRing(destination: Destination): void {
  if (destination.kind === 'ring' && destination.memory !== undefined)
    rings.set(destination.ring, destination.memory);
}

function ringOf(ring: number): SharedArrayBuffer {
  const memory = rings.get(ring);
  if (memory === undefined) throw new CodecError('the thread does not know the ring');
  return memory;
}

/** Decodes the regions of a task into a slot, one after the other. */
function intoRing(plan: ReadPlan, taskOf: TaskOf, ring: RingWriter, published: Published): BeginTask {
  const { chain } = plan.layout;
  const { chunkBytes } = plan.cost;
  return (window, number) => {
    const slot = ring.acquire(() => window.isCancelled);
    if (slot === undefined) return undefined;
    // Some chunks may be skipped: each has a fixed position in the slot.
    const { first, end } = window.chunksOf(number);
    const starts: number[] = [];
    const tasks: ReadTask[] = [];
    let filled = 0;
    for (let at = first; at < end; at++) {
      const task = taskOf(window.chunk(at));
      tasks.push(task);
      starts.push(filled);
      filled += alignedBytes(regionBytes(plan, task));
    }
    const decode: Decode = (at, _, encoded) => {
      const task = tasks[at - first];
      const start = starts[at - first];
      if (task === undefined || start === undefined)
        throw new CodecError('the chunk is not part of the task');
      const region = slot.subarray(start, start + regionBytes(plan, task));
      const whole = isWholeChunk(plan, task) ? region : undefined;
      const decoded = decodeChunk(chain, encoded, chunkBytes, whole, neededSpan(plan, task));
      if (whole === undefined) return packRegion(plan, task, decoded, region);
      const { values } = decoded;
      if (!('bytes' in values) || values.bytes.length !== chunkBytes)
        throw new CodecError('the size of the decoded chunk differs from the size in the request');
      if (values.bytes !== region) region.set(values.bytes);
    };
    return {
      decode,
      end() {
        published(ring.publish(window.shared.number, number));
      },
    };
  };
}
