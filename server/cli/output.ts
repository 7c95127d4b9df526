/** Writes a command's output with backpressure. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** @param file undefined for stdout. Rejects with EPIPE if the reader of stdout has exited */
export async function writeOutput(pieces: Pieces, file: string | undefined): Promise<void> {
  const source = Readable.from(pieces);
  if (file === undefined) await pipeline(source, process.stdout, { end: false });
  else await pipeline(source, createWriteStream(file));
}
