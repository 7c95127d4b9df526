/** Runs jobs on a thread: reads the chunks, decodes them, and passes them to the destination of their read. */
import { defined } from '../../wire/guards.js';
import type { ByteSpan } from '../core/bytes/values.js';
import { CodecError } from '../core/errors.js';
import type { CodecChain } from '../format/codec/codec.js';
import { decodeChunk } from '../format/codec/run-chain.js';
import type { ReadPlan, ReadTask } from '../format/plan/plan.js';
import { partialNow } from '../compute/reduce/partial.js';
import { decodeTask, reduceTask, type Tally } from './spans.js';
import { attempt } from './outcomes.js';
import { packRegion, PlaceSink } from './place-sink.js';
import type {
  BytesChunk,
  DecodedOutcome,
  FileChunk,
  JobInput,
  JobMessage,
  Outcome,
  ReadMessage,
} from './protocol.js';
import { restorePlan, taskFinder } from './shared-plan.js';
import { resultBytes, slotStarts } from './slots.js';
import { readFiles } from './read-files.js';

/** Decodes a chunk. @param result memory in the slot; undefined if the result is elsewhere */
type Decode = (
  encoded: Uint8Array,
  chunk: BytesChunk | FileChunk,
  result: Uint8Array | undefined,
) => DecodedOutcome;

const done: DecodedOutcome = { decoded: true };

export class ThreadRead {
  readonly #message: ReadMessage;
  readonly #decode: Decode;

  constructor(message: ReadMessage, chain: CodecChain) {
    this.#message = message;
    this.#decode = decoderOf(message, chain);
  }

  run({ input, slot }: Pick<JobMessage, 'input' | 'slot'>, tally: Tally): Outcome[] {
    const results = resultsIn(slot, resultBytes(input, this.#message.chunkBytes));
    if ('spans' in input) {
      const { files } = this.#message;
      if (files === undefined) throw new CodecError('the read has no files');
      return readFiles(input.spans, files, tally, (encoded, chunk, i) =>
        this.#decode(encoded, chunk, results(i)),
      );
    }
    const { chunkBytes } = this.#message;
    return bytesOf(input, slot, chunkBytes).map((encoded, i) =>
      attempt(() => {
        const chunk = input.chunks[i];
        if (chunk === undefined) throw new CodecError('the job has no such chunk');
        return this.#decode(encoded(), chunk, results(i));
      }),
    );
  }
}

function resultsIn(
  slot: SharedArrayBuffer | undefined,
  lengths: readonly number[],
): (i: number) => Uint8Array | undefined {
  if (slot === undefined) return () => undefined;
  const { starts } = slotStarts(lengths);
  return (i) => {
    const length = defined(lengths[i]);
    return length === 0 ? undefined : new Uint8Array(slot, starts[i], length);
  };
}

/** The encoded chunks of a job. Each is valid until the next is requested. */
function bytesOf(
  input: Extract<JobInput, { chunks: readonly BytesChunk[] }>,
  slot: SharedArrayBuffer | undefined,
  chunkBytes: number,
): (() => Uint8Array)[] {
  const { chunks, transferred } = input;
  if (transferred !== undefined) return [() => transferred];
  if (slot === undefined) throw new CodecError('the job has no chunks');
  let { end } = slotStarts(resultBytes(input, chunkBytes));
  return chunks.map(({ length }) => {
    end += length;
    const start = end - length;
    return () => ownCopy(new Uint8Array(slot, start, length));
  });
}

function decoderOf(message: ReadMessage, chain: CodecChain): Decode {
  const { destination, chunkBytes } = message;
  switch (destination.kind) {
    case 'chunks':
      return (encoded, chunk, result) => {
        const bytes = result ?? chunk.into ?? new Uint8Array(chunkBytes);
        const needed = 'needed' in chunk ? chunk.needed : { start: 0, end: chunkBytes };
        const strides = decodeInto(chain, encoded, bytes, needed);
        // Only the partial results of the chunk are sent.
        if ('reduce' in chunk && chunk.reduce !== undefined)
          return {
            ...done,
            partials: chunk.reduce.map((work) => partialNow(work, { values: { bytes }, strides })),
          };
        return result === undefined ? { ...done, bytes } : done;
      };
    case 'items':
      return (encoded, chunk) => {
        const { values } = decodeChunk(chain, encoded, 'limit' in chunk ? chunk.limit : 0);
        if (!('items' in values))
          throw new CodecError('expected values of variable length in the decoded chunk');
        const { starts, lengths, bytes } = values.items;
        return { ...done, items: { starts, lengths, bytes } };
      };
    case 'memory': {
      const plan = planOf(message, chain);
      const sink = new PlaceSink(plan, chain.rep.fill, { out: destination.bytes, maxOutputBytes: Infinity });
      return decodeTasks(plan, (task, encoded) => {
        decodeTask(plan, task, encoded, sink);
        return done;
      });
    }
    case 'regions': {
      const plan = planOf(message, chain);
      return decodeTasks(plan, (task, encoded, result) => {
        if (result === undefined) throw new CodecError('the job has no slot');
        decodeTask(plan, task, encoded, {
          chunk: (_, decoded) => packRegion(plan, task, decoded, result),
        });
        return done;
      });
    }
    case 'partials': {
      const plan = planOf(message, chain);
      return decodeTasks(plan, (task, encoded) => ({
        ...done,
        partials: reduceTask(plan, destination.rules, task, encoded),
      }));
    }
  }
}

function planOf({ plan }: ReadMessage, chain: CodecChain): ReadPlan {
  if (plan === undefined) throw new CodecError('the read has no plan');
  return restorePlan(plan, chain);
}

function decodeTasks(
  plan: ReadPlan,
  decode: (task: ReadTask, encoded: Uint8Array, result: Uint8Array | undefined) => DecodedOutcome,
): Decode {
  const taskAt = taskFinder(plan);
  return (encoded, chunk, result) => {
    if (!('position' in chunk)) throw new CodecError('the job has no positions');
    return decode(taskAt(chunk.position), encoded, result);
  };
}

let scratch = new Uint8Array(0);

/** Copies bytes, because not every codec accepts shared memory. The copy is valid until the next call. */
export function ownCopy(shared: Uint8Array): Uint8Array {
  if (scratch.length < shared.length) scratch = new Uint8Array(shared.length * 2);
  scratch.set(shared);
  return scratch.subarray(0, shared.length);
}

function decodeInto(
  chain: CodecChain,
  encoded: Uint8Array,
  into: Uint8Array,
  needed: ByteSpan,
): readonly number[] {
  const { values, strides } = decodeChunk(chain, encoded, into.length, into, needed);
  if ('items' in values || values.bytes.length !== into.length)
    throw new CodecError('the size of the decoded chunk differs from the size in the request');
  if (values.bytes !== into) into.set(values.bytes.subarray(needed.start, needed.end), needed.start);
  return strides;
}
