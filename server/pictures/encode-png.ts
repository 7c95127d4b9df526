/**
 * PNG encoder (W3C PNG, third edition) for 8-bit images: indexed colours, or red, green, blue and alpha. Rows
 * are not filtered, which suits indexed colours. Large images are compressed in Node's thread pool.
 */
import { createDeflate, deflateSync } from 'node:zlib';
import { crc32 } from '#crc';

export interface PngImage {
  readonly width: number;
  readonly height: number;
  /**
   * At most 256 colours as red, green, blue and alpha, one byte each. Undefined if pixels contain these
   * bytes.
   */
  readonly palette: Uint8Array | undefined;
  /**
   * Returns the pixels of a row: one byte each with a palette, otherwise 4. The result is valid until the
   * next call.
   */
  row(y: number): Uint8Array;
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Maximum size, in bytes, of the rows passed to the compressor at once, except for longer single rows. */
const BAND_BYTES = 2 ** 18;

/**
 * Maximum size, in bytes, of the rows of an image that is compressed on the calling thread, which takes about
 * 2 ms.
 */
const SMALL_BYTES = 2 ** 17;

/** Compression level: two to four times as fast as zlib's default (6), for files that are 2 % larger. */
const LEVEL = 4;

/** The file of a small image. */
export async function pngFile(image: PngImage): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of encodePng(image)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The parts of the file. */
export async function* encodePng(image: PngImage): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.concat([SIGNATURE, chunk('IHDR', header(image)), ...paletteChunks(image.palette)]);
  if (image.height * rowBytesOf(image) <= SMALL_BYTES)
    yield chunk('IDAT', deflateSync(Buffer.concat([...bands(image)]), { level: LEVEL }));
  else for await (const data of compressed(image)) yield chunk('IDAT', data);
  yield chunk('IEND', new Uint8Array(0));
}

async function* compressed(image: PngImage): AsyncGenerator<Uint8Array> {
  const deflate = createDeflate({ level: LEVEL, chunkSize: BAND_BYTES });
  // The compressor accepts the next band once it has finished the previous one.
  const writing = (async () => {
    for (const band of bands(image))
      await new Promise<void>((resolve, reject) =>
        deflate.write(band, (error) => (error instanceof Error ? reject(error) : resolve())),
      );
    deflate.end();
  })();
  // The reader reports the same error.
  writing.catch(() => undefined);
  for await (const piece of deflate) if (piece instanceof Uint8Array) yield piece;
  await writing;
}

function rowBytesOf({ width, palette }: PngImage): number {
  return 1 + width * (palette === undefined ? 4 : 1);
}

/** Yields the rows, each preceded by its filter byte (0: none). */
function* bands(image: PngImage): Generator<Uint8Array> {
  const rowBytes = rowBytesOf(image);
  const rows = Math.max(1, Math.floor(BAND_BYTES / rowBytes));
  for (let first = 0; first < image.height; first += rows) {
    const count = Math.min(rows, image.height - first);
    const band = new Uint8Array(count * rowBytes);
    for (let y = 0; y < count; y++) band.set(image.row(first + y), y * rowBytes + 1);
    yield band;
  }
}

function header({ width, height, palette }: PngImage): Uint8Array {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = 8;
  data[9] = palette === undefined ? 6 : 3;
  return data;
}

/** Yields the chunks PLTE, and tRNS up to the last colour that is not opaque. */
function* paletteChunks(palette: Uint8Array | undefined): Generator<Uint8Array> {
  if (palette === undefined) return;
  const count = palette.length / 4;
  const colours = new Uint8Array(count * 3);
  const alpha = new Uint8Array(count);
  let transparent = 0;
  for (let i = 0; i < count; i++) {
    colours.set(palette.subarray(i * 4, i * 4 + 3), i * 3);
    alpha[i] = palette[i * 4 + 3] ?? 255;
    if (alpha[i] !== 255) transparent = i + 1;
  }
  yield chunk('PLTE', colours);
  if (transparent > 0) yield chunk('tRNS', alpha.subarray(0, transparent));
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8);
  return bytes;
}
