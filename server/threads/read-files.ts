/** Reads files on a decoding thread. */
import type { BufferPool } from '../core/bytes/buffer-pool.js';
import { CodecError } from '../core/errors.js';
import { createRootConfinement, type RootConfinement } from '../store/filesystem/root.js';
import { readPlainFile } from '../store/filesystem/read-file.js';
import type { FolderAccess } from '../store/store.js';
import { readSpan, type Span, type ReadNow, type Tally } from './spans.js';
import { attempt } from './outcomes.js';
import type { DecodedOutcome, FileAccess, FileChunk, Outcome } from './protocol.js';

/** Reads the chunks of spans. @param decode the bytes are valid only within the call */
export function readFiles(
  spans: readonly Span<FileChunk>[],
  { folder, maxBytes }: FileAccess,
  tally: Tally,
  decode: (encoded: Uint8Array, chunk: FileChunk, i: number) => DecodedOutcome,
): Outcome[] {
  const readNow = filesOf(folder);
  const memory = { maxBytes, pool: threadBuffer };
  const outcomes: Outcome[] = [];
  for (const span of spans)
    readSpan(span, readNow, memory, tally, (chunk, stored, value) => {
      const i = outcomes.length;
      if (stored === 'absent') outcomes.push({ absent: true, bytes: chunk.into });
      else
        outcomes.push(
          attempt(() => {
            if (stored === undefined) throw new CodecError('the store must read the chunk');
            const outcome = decode(stored, chunk, i);
            // The owner of the read knows a required version.
            return span.request.ifMatch === undefined ? { ...outcome, version: value?.version } : outcome;
          }),
        );
    });
  return outcomes;
}

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

function filesOf(access: FolderAccess): ReadNow {
  const confinement = confinementOf(access);
  return (request, memory) =>
    readPlainFile(`${access.root}/${request.key}`, request, confinement, memory, Infinity);
}

/** A single buffer, reused for the next file. */
const threadBuffer: BufferPool = createReusedBuffer();

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
