/** Decompresses pages of Parquet files, never beyond the size that their header states. */
import * as zlib from 'node:zlib';
import { UnsupportedError } from '../../../core/errors.js';
import { damaged, ThriftReader } from './thrift.js';

const UNCOMPRESSED = 0;
const SNAPPY = 1;
const GZIP = 2;
const ZSTD = 6;

/** @throws MetadataError for damaged bytes, or another size; UnsupportedError for other compressions */
export async function decompress(codec: number, bytes: Uint8Array, size: number): Promise<Uint8Array> {
  if (codec === UNCOMPRESSED) return checked(bytes, size);
  if (size === 0) return new Uint8Array(0);
  if (codec === SNAPPY) return fromSnappy(bytes, size);
  const run = codec === GZIP ? gunzip : codec === ZSTD ? zstd() : undefined;
  if (run === undefined)
    throw new UnsupportedError(
      'a parquet file of references is compressed by another method than zstd, snappy and gzip',
    );
  return new Promise((resolve, reject) => {
    run(bytes, { maxOutputLength: size }, (cause, result) => {
      if (cause !== null) reject(damaged('a page cannot be decompressed'));
      else if (result.length !== size) reject(wrongSize());
      else resolve(new Uint8Array(result.buffer, result.byteOffset, result.length));
    });
  });
}

type Decompress = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number },
  done: (cause: Error | null, result: Buffer) => void,
) => void;

const gunzip: Decompress = (bytes, options, done) => zlib.gunzip(bytes, options, done);

function zstd(): Decompress {
  // Missing in Node before 22.15.
  const { zstdDecompress }: Partial<typeof zlib> = zlib;
  if (zstdDecompress === undefined)
    throw new UnsupportedError('references in parquet files require Node 22.15 or later');
  return (bytes, options, done) => zstdDecompress(bytes, options, done);
}

async function fromSnappy(bytes: Uint8Array, size: number): Promise<Uint8Array> {
  // The package allocates nothing for this, but trusts the length at the start.
  if (new ThriftReader(bytes).varint() !== size) throw wrongSize();
  const { snappyUncompress } = await import('hyparquet');
  const page = new Uint8Array(size);
  try {
    snappyUncompress(bytes, page);
  } catch {
    throw damaged('a page cannot be decompressed');
  }
  return page;
}

function checked(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length !== size) throw wrongSize();
  return bytes;
}

function wrongSize(): Error {
  return damaged('a page does not have the size that it states');
}
