/**
 * numcodecs' `pcodec`: numbers in the standalone format of pco, versions 0 to 3 (docs/format.md of its repository),
 * which numcodecs writes. Array to bytes in v3; in v2, bytes to bytes with the data type of its input.
 */
import type { JsonObject } from '../../../core/bytes/json.js';
import { sizeOf } from '../../../core/bytes/shape.js';
import { CodecError, InputError, MetadataError, UnsupportedError } from '../../../core/errors.js';
import { loadingWasm } from '../../../core/wasm/load.js';
import { codecs } from '../../../core/wasm/module.js';
import type { ArrayToBytesCodec, BytesToBytesCodec, Size } from '../codec.js';
import { checkOptions, readChoice, readInteger, readNumpyType } from '../configuration.js';
import { checkSize, compressedBound, exactly, mostBytes, tooLarge } from '../size.js';

const NAME = 'pcodec';

/** The byte that identifies each type in the format. */
const types: Readonly<Record<string, number>> = {
  ...{ uint32: 1, uint64: 2, int32: 3, int64: 4, float32: 5, float64: 6 },
  ...{ uint16: 7, int16: 8, float16: 9 },
};

/** Results of `pcodec_decode` (core/wasm/build/glue/pcodec.c). */
const failures: Readonly<Record<number, string>> = {
  [-1]: 'the stored bytes are truncated',
  [-2]: 'the stored bytes are corrupt',
  [-4]: 'the stored numbers have another data type than the array',
  [-7]: 'the stored tables are too large for the number of values',
};

interface NumberFormat {
  readonly type: number;
  readonly itemBytes: number;
}

/**
 * Decodes a file of pco.
 * @param into destination, to whose start the result is copied. Without it, the result is a view that is valid until the
 * next call of a function of the same module
 * @throws CodecError for other contents; LimitError for a result larger than `size`; UnsupportedError for a later version
 */
function decodePcodec(
  source: Uint8Array,
  { type, itemBytes }: NumberFormat,
  size: Size,
  into?: Uint8Array,
): Uint8Array {
  const most = mostBytes(NAME, size);
  return codecs.run(NAME, source, (call, source) => {
    const capacity = Math.floor(most / itemBytes);
    const block = call.allocateIn(into, capacity * itemBytes);
    const count = call.functions.pcodec_decode(call.source, source.length, type, block, capacity);
    if (count === -3)
      throw new UnsupportedError(
        `codec "${NAME}": the stored bytes have a later version of the format than 3`,
      );
    if (count === -5) throw tooLarge(NAME, size);
    if (count < 0)
      throw new CodecError(`codec "${NAME}": ${failures[count] ?? 'not enough memory for a decoder'}`);
    checkSize(NAME, count * itemBytes, size);
    return call.copyOut(block, count * itemBytes, into);
  });
}

/**
 * Encodes into a new buffer: the mode "classic" with at most 64 bins, which is fast and compresses less than pco itself.
 * @param order order of the delta encoding, 0 to 7; undefined to choose 0, 1 or 2
 */
function encodePcodec(
  source: Uint8Array,
  { type, itemBytes }: NumberFormat,
  order: number | undefined,
): Uint8Array {
  if (source.length % itemBytes !== 0)
    throw new CodecError(`codec "${NAME}": ${source.length} bytes are not a multiple of ${itemBytes}`);
  return codecs.run(NAME, source, (call, source) => {
    const count = source.length / itemBytes;
    const capacity = call.functions.pcodec_bound(count, type) >>> 0;
    if (capacity === 0)
      throw new InputError(`codec "${NAME}": the chunk has ${source.length} bytes, which is too large`);
    const block = call.allocate(capacity);
    const got = call.functions.pcodec_encode(call.source, count, type, block, order ?? -1);
    if (got < 0) throw new CodecError(`codec "${NAME}": not enough memory to encode ${source.length} bytes`);
    return call.view(block, got).slice();
  });
}

/**
 * Checks the options of numcodecs, which concern writing only.
 * @returns the order of the delta encoding
 */
function readOptions(configuration: JsonObject): number | undefined {
  readInteger(NAME, configuration, 'level', { min: 0, max: 12, absent: 8 });
  readChoice(NAME, configuration, 'mode_spec', ['auto', 'classic'], 'auto');
  const deltas = ['auto', 'none', 'try_consecutive', 'try_lookback'] as const;
  const delta = readChoice(NAME, configuration, 'delta_spec', deltas, 'auto');
  readChoice(NAME, configuration, 'paging_spec', ['equal_pages_up_to'], 'equal_pages_up_to');
  const given = configuration['delta_encoding_order'] ?? null;
  const order = given === null ? undefined : readInteger(NAME, configuration, 'delta_encoding_order', { min: 0, max: 7 }); // prettier-ignore
  return delta === 'none' ? 0 : order;
}

const options = [
  'level',
  'mode_spec',
  'delta_spec',
  'paging_spec',
  'delta_encoding_order',
  'equal_pages_up_to',
];

/** @throws UnsupportedError for another data type */
function formatOf({
  name,
  itemSize,
}: {
  readonly name: string;
  readonly itemSize: number | null;
}): NumberFormat {
  const type = types[name];
  if (type === undefined || itemSize === null)
    throw new UnsupportedError(
      `codec "${NAME}": unsupported data type ${name}; it stores integers and floats of 2, 4 and 8 bytes`,
    );
  return { type, itemBytes: itemSize };
}

export const pcodecCodec: ArrayToBytesCodec = {
  kind: 'array-to-bytes',
  name: NAME,
  ...loadingWasm('codecs'),
  create(configuration, rep) {
    checkOptions(NAME, configuration, options);
    const format = formatOf(rep.dtype);
    const order = readOptions(configuration);
    const decodedBytes = sizeOf(rep.shape) * format.itemBytes;
    return {
      encodedSize: compressedBound(exactly(decodedBytes)),
      decode: (bytes) => ({ bytes: decodePcodec(bytes, format, exactly(decodedBytes)) }),
      encode(values) {
        if (!('bytes' in values))
          throw new CodecError(`codec "${NAME}": values of variable length are not supported`);
        checkSize(NAME, values.bytes.length, exactly(decodedBytes));
        return encodePcodec(values.bytes, format, order);
      },
    };
  },
};

/** The form of v2, whose configuration has the NumPy type of the numbers as `dtype`. */
export const pcodecOfBytes: BytesToBytesCodec = {
  kind: 'bytes-to-bytes',
  name: `v2.${NAME}`,
  ...loadingWasm('codecs'),
  create(configuration) {
    checkOptions(NAME, configuration, [...options, 'dtype']);
    const format = littleEndian(configuration);
    const order = readOptions(configuration);
    return {
      encodedSize: compressedBound,
      decode: (bytes, size, into) => decodePcodec(bytes, format, size, into),
      encode: (bytes) => encodePcodec(bytes, format, order),
    };
  },
};

/** @throws MetadataError for input that is not numbers, or big-endian, which pco does not store */
function littleEndian(configuration: JsonObject): NumberFormat {
  if (configuration['dtype'] === undefined)
    throw new MetadataError(`codec "${NAME}" requires numbers, but its input is bytes`);
  const { dtype, swaps } = readNumpyType(NAME, configuration, 'dtype');
  if (swaps.length > 0) throw new UnsupportedError(`codec "${NAME}" requires little-endian numbers`);
  return formatOf(dtype);
}
