/** Where a command's output goes: as fast as its reader takes it, and no faster. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** @param file undefined for stdout. Rejects with EPIPE where a reader of stdout has gone */
export async function writeOutput(pieces: Pieces, file: string | undefined): Promise<void> {
  const source = Readable.from(pieces);
  if (file === undefined) await pipeline(source, process.stdout, { end: false });
  else await pipeline(source, createWriteStream(file));
}
