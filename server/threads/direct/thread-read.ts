/** A direct read on a thread: takes tasks, reads their files and decodes chunks into the destination. */
import type { CodecChain } from '../../format/codec/codec.js';
import { decodeChunk } from '../../format/codec/run-chain.js';
import type { Element } from '../../core/dtype/data-type.js';
import { CodecError } from '../../core/errors.js';
import { createRootConfinement, type RootConfinement } from '../../store/filesystem/root.js';
import type { BufferPool } from '../../core/bytes/buffer-pool.js';
import { readPlainFile } from '../../store/filesystem/read-file.js';
import type { FolderAccess } from '../../store/store.js';
import type { ReadPlan, ReadTask } from '../../format/plan/plan.js';
import { neededSpan } from '../../format/plan/region.js';
import { PlaceSink } from './place-sink.js';
import { createPlacement } from '../../compute/placement.js';
import {
  type Destination,
  type OpenMessage,
  type WakeMessage,
  type WindowMessage,
  type WindowReply,
  restorePlan,
  taskFinder,
} from './protocol.js';
import { createTally, readTask, type ReadNow, reduceChunk } from './read-task.js';
import { alignedBytes, packRegion, regionBytes } from './region-copy.js';
import { RingWriter } from './ring.js';
import { openWindow, type Window, type WindowChunk } from './window.js';

/** Confinements by folder access. Kept between reads, because a confinement remembers the folders that it examined. */
const confinements = new Map<string, RootConfinement>();
const MAX_CONFINEMENTS = 100;

function confinementOf(access: FolderAccess): RootConfinement {
  const name = JSON.stringify(access);
  const known = confinements.get(name);
  if (known !== undefined) return known;
  if (confinements.size >= MAX_CONFINEMENTS) confinements.clear();
  const confinement = createRootConfinement(access.root, access);
  confinements.set(name, confinement);
  return confinement;
}

/** A single buffer, reused for the next file. */
export const threadBuffer: BufferPool = createReusedBuffer();

export function filesOf(access: FolderAccess): ReadNow {
  const confinement = confinementOf(access);
  return (request, memory) =>
    readPlainFile(`${access.root}/${request.key}`, request, confinement, memory, Infinity);
}

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

/** Finds the task of a chunk. */
type TaskOf = (chunk: WindowChunk) => ReadTask;
/** Begins to decode the chunks of one task; undefined if the read was cancelled. */
type BeginTask = (window: Window, task: number) => { decode: Decode; end(): void } | undefined;

export class ThreadRead {
  readonly #plan: ReadPlan;
  readonly #readNow: ReadNow;
  readonly #maxBytes: number;
  readonly #begin: BeginTask;

  constructor(read: number, message: OpenMessage, chain: CodecChain, post: (message: WakeMessage) => void) {
    const { access, destination, maxBytes } = message;
    this.#plan = restorePlan(message.plan, chain);
    this.#readNow = filesOf(access);
    this.#maxBytes = maxBytes;
    const taskAt = taskFinder(this.#plan);
    const taskOf: TaskOf = ({ position }) => taskAt(position);
    this.#begin = beginTask(this.#plan, taskOf, destination, () => post({ wake: read }));
  }

  run({ id, window: shared }: WindowMessage): WindowReply {
    const window = openWindow(shared);
    const tally = createTally();
    if (!window.join()) return { id, versions: [], partials: [] };
    const memory = { maxBytes: this.#maxBytes, pool: threadBuffer };
    for (let task = window.take(); task !== undefined; task = window.take()) {
      const work = this.#begin(window, task);
      if (work === undefined) break;
      readTask(window, task, this.#readNow, memory, tally, work.decode);
      work.end();
    }
    const { requests, bytes, versions, partials } = tally;
    window.leave(requests, bytes);
    return { id, versions, partials };
  }
}

function beginTask(plan: ReadPlan, taskOf: TaskOf, destination: Destination, wake: () => void): BeginTask {
  switch (destination.kind) {
    case 'result':
      return intoResult(plan, taskOf, destination.bytes);
    case 'ring':
      return intoRing(plan, taskOf, new RingWriter(ringOf(destination.ring)), wake);
    case 'partials': {
      const decode: Decode = (_, chunk, encoded) =>
        reduceChunk(plan, taskOf(chunk), encoded, destination.rule);
      return () => ({ decode, end() {} });
    }
  }
}

function intoResult(plan: ReadPlan, taskOf: TaskOf, bytes: Uint8Array): BeginTask {
  const placer = createPlacer(plan, plan.layout.chain.rep.fill, bytes);
  const decode: Decode = (_, chunk, encoded) => placer.decode(taskOf(chunk), encoded);
  return () => ({ decode, end() {} });
}

/** Decodes chunks directly into memory, with the sink that the owner of the read uses. */
export function createPlacer(
  plan: ReadPlan,
  fill: Element,
  bytes: Uint8Array,
): { readonly sink: PlaceSink; readonly decode: (task: ReadTask, encoded: Uint8Array) => void } {
  const sink = new PlaceSink(plan, fill, { out: bytes, maxOutputBytes: Infinity });
  const { layout, cost } = plan;
  return {
    sink,
    decode: (task, encoded) =>
      sink.chunk(
        task,
        decodeChunk(layout.chain, encoded, cost.chunkBytes, sink.into(task), neededSpan(plan, task)),
      ),
  };
}

const rings = new Map<number, SharedArrayBuffer>();

/** Keeps the ring of a message even if the read cannot be opened, because each ring is sent only once. */
export function keepRing(destination: Destination): void {
  if (destination.kind === 'ring' && destination.memory !== undefined)
    rings.set(destination.ring, destination.memory);
}

function ringOf(ring: number): SharedArrayBuffer {
  const memory = rings.get(ring);
  if (memory === undefined) throw new CodecError(`unknown ring ${ring}`);
  return memory;
}

/** Decodes the regions of a task into a slot, one after the other. */
function intoRing(plan: ReadPlan, taskOf: TaskOf, ring: RingWriter, wake: () => void): BeginTask {
  const { chain } = plan.layout;
  const { chunkBytes } = plan.cost;
  const placement = createPlacement(plan);
  return (window, number) => {
    const slot = ring.acquire(() => window.isCancelled());
    if (slot === undefined) return undefined;
    // Each chunk has a fixed position in the slot, because some chunks may be skipped.
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
      const decoded = decodeChunk(chain, encoded, chunkBytes, undefined, neededSpan(plan, task));
      packRegion(plan, task, placement, decoded, region);
    };
    return {
      decode,
      end() {
        if (ring.publish(window.shared.number, number)) wake();
      },
    };
  };
}
