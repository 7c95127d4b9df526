/** Writes a command's output with backpressure. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UsageError } from './run-command.js';

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/**
 * Checks that no file would be replaced, before anything is read. Devices and pipes may exist.
 * @throws UsageError if the file exists and may not be replaced
 */
export async function assertNew(file: string | undefined, overwrite = false): Promise<void> {
  if (file === undefined || overwrite) return;
  const existing = await stat(file).catch(() => undefined);
  if (existing?.isFile() === true)
    throw new UsageError(`${file} already exists; add --overwrite to replace it`);
}

/**
 * @param file undefined for stdout
 * @throws an error with code EPIPE if the reader of stdout has exited
 */
export async function writeOutput(pieces: Pieces, file: string | undefined): Promise<void> {
  const source = Readable.from(pieces);
  if (file === undefined) await pipeline(source, process.stdout, { end: false });
  else await pipeline(source, createWriteStream(file));
}
