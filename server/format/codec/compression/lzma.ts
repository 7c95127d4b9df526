/** numcodecs' `lzma`: xz, LZMA alone or a raw stream, with the constants of Python's `lzma` module. */
import type { JsonObject, JsonValue } from '../../../core/bytes/json.js';
import { InputError, MetadataError, CodecError } from '../../../core/errors.js';
import type { BytesToBytesCodec, Size } from '../codec.js';
import { badOption, checkOptions, readInteger, readObjects } from '../configuration.js';
import { checkSize, compressedBound, mostBytes, tooLarge } from '../size.js';
import { collectOutput } from '../collect-output.js';
import { loadingWasm } from '../../../core/wasm/load.js';
import { type LzmaFilter, packFilters } from './lzma-filters.js';
import { type WasmCall, archive } from '../../../core/wasm/module.js';

/** Python's and numcodecs' numbers of the formats: 1 xz, 2 LZMA alone, 3 raw. */
export type LzmaFormat = 1 | 2 | 3;

interface LzmaDecodeOptions {
  readonly format: LzmaFormat;
  /** The filter chain. Required for raw streams, which do not store it; not allowed for other formats. */
  readonly filters?: readonly LzmaFilter[] | undefined;
}

interface LzmaEncodeOptions {
  readonly format: LzmaFormat;
  /** Integrity check of xz: -1 default (CRC-64), 0 none, 1 CRC-32, 4 CRC-64, 10 SHA-256. */
  readonly check?: number | undefined;
  /** Preset, 0 to 9, plus 2^31 for "extreme". @default 6 without filters */
  readonly preset?: number | undefined;
  readonly filters?: readonly LzmaFilter[] | undefined;
}

const XZ = 1;
const ALONE = 2;
const RAW = 3;
const DEFAULT_PRESET = 6;
const CRC64 = 4;
const supportedChecks: readonly number[] = [0, 1, CRC64, 10];
const EXTREME = 2 ** 31;

/** Return codes of liblzma (lzma_ret). BUFFER_ERROR means that the input is incomplete. */
const OK = 0;
const STREAM_END = 1;
const MEMORY_ERROR = 5;
const BUFFER_ERROR = 10;
const reasons: Readonly<Record<number, string>> = {
  3: 'they use an unknown integrity check',
  [MEMORY_ERROR]: 'not enough memory for a decoder',
  7: 'they do not start with the header of this format',
  8: 'they require filters or options that are not supported',
  9: 'they are corrupt',
  [BUFFER_ERROR]: 'they end before the stream does',
};

/**
 * A match has at most 273 bytes and takes 14 decisions of at least 0.022 bits each, a ratio of 7,090. This bound is more
 * than twice as large. A dictionary larger than the source times the bound is useless.
 */
const MAX_RATIO = 2 ** 14;

/**
 * Header of .lzma: 1 byte of properties, 4 bytes of dictionary size, 8 bytes of decoded size (2^64-1 if
 * unknown).
 */
const ALONE_HEADER_BYTES = 13;
const UNKNOWN_SIZE = 2n ** 64n - 1n;

/**
 * Decodes one stream; for xz, all concatenated streams. Memory for the dictionary is bounded by `size` and
 * the source, regardless of the header.
 * @param into destination, to whose start the result is copied. Without it, the result is a view that is valid
 * until the next call of a bzip2 or lzma function
 * @throws CodecError, also for extra bytes after the last stream; LimitError for a result larger than `size`;
 * InputError for unknown filters, or for filters that the format does not allow
 */
export function decodeLzma(
  source: Uint8Array,
  options: LzmaDecodeOptions,
  size: Size,
  into?: Uint8Array,
): Uint8Array {
  const most = mostBytes('lzma', size);
  const { format, filters } = options;
  if ((format === RAW) !== (filters !== undefined))
    throw new InputError(
      'codec "lzma": filters are required for raw streams (format 3), and not allowed otherwise',
    );
  if (format === ALONE) checkAloneSize(source, size);
  const chain = filters === undefined ? undefined : packFilters(filters);
  return archive.run('lzma', source, (call, source) => {
    const open = call.functions.lzma_decode_open;
    const filtersAt = chain === undefined ? 0 : call.place(asBytes(chain));
    const ceiling = Math.min(most + 1, source.length * MAX_RATIO);
    try {
      const status = open(format, filtersAt, filters?.length ?? 0, ceiling, call.source, source.length);
      if (status !== OK) throw decodingFailed(status);
      const first = initialCapacity(source, size);
      const { block, bytes, overflowed } = collectOutput(call, first, most, stepOf(call, decodingFailed));
      if (overflowed) throw tooLarge('lzma', size);
      const rest = call.functions.lzma_input_left() >>> 0;
      if (rest > 0) throw new CodecError(`codec "lzma": ${rest} extra bytes after the stream`);
      checkSize('lzma', bytes, size);
      return call.copyOut(block, bytes, into);
    } finally {
      call.functions.lzma_close();
    }
  });
}

/**
 * Encodes into a new buffer. Dictionaries are no larger than the source, to save memory in encoders and
 * decoders.
 * @throws InputError for unknown or incompatible options
 */
export function encodeLzma(source: Uint8Array, options: LzmaEncodeOptions): Uint8Array {
  const { format, filters, preset = DEFAULT_PRESET, check = -1 } = options;
  if (check !== -1 && (format === XZ ? !supportedChecks.includes(check) : check !== 0))
    throw new InputError(`codec "lzma": check ${check} is not supported by format ${format}`);
  if (format === RAW && filters === undefined)
    throw new InputError('codec "lzma": raw streams (format 3) require filters');
  if (filters !== undefined && options.preset !== undefined)
    throw new InputError('codec "lzma": preset and filters are mutually exclusive');
  if (!Number.isInteger(preset) || preset < 0 || preset % EXTREME > 9 || preset > EXTREME + 9)
    throw new InputError(
      `codec "lzma": preset is ${preset}; expected 0 to 9, optionally plus 2^31 (extreme)`,
    );
  const chain = filters === undefined ? undefined : packFilters(filters);
  return archive.run('lzma', source, (call, source) => {
    const open = call.functions.lzma_encode_open;
    const filtersAt = chain === undefined ? 0 : call.place(asBytes(chain));
    const usedCheck = check === -1 ? CRC64 : check;
    try {
      const length = source.length;
      const status = open(
        format,
        usedCheck,
        preset | 0,
        filtersAt,
        filters?.length ?? 0,
        call.source,
        length,
      );
      if (status === MEMORY_ERROR) throw encodingFailed(status);
      if (status !== OK)
        throw new InputError(`codec "lzma": invalid filter chain (liblzma returned ${status})`);
      const { block, bytes } = collectOutput(
        call,
        Math.ceil(length / 2) + 1024,
        2 * length + 2 ** 16,
        stepOf(call, encodingFailed),
      );
      return call.view(block, bytes).slice();
    } finally {
      call.functions.lzma_close();
    }
  });
}

function stepOf(call: WasmCall<'lzma_step' | 'lzma_room_left'>, failed: (status: number) => CodecError) {
  return (to: number, capacity: number) => {
    const status = call.functions.lzma_step(to, capacity);
    if (status !== OK && status !== STREAM_END) throw failed(status);
    return { left: call.functions.lzma_room_left() >>> 0, ended: status === STREAM_END };
  };
}

function initialCapacity(source: Uint8Array, size: Size): number {
  return size.kind === 'exact' ? size.bytes + 1 : 2 ** 16 + 4 * source.length;
}

function checkAloneSize(source: Uint8Array, size: Size): void {
  if (source.length < ALONE_HEADER_BYTES) throw decodingFailed(BUFFER_ERROR);
  const claimed = new DataView(source.buffer, source.byteOffset + 5, 8).getBigUint64(0, true);
  if (claimed !== UNKNOWN_SIZE) checkSize('lzma', Number(claimed), size);
}

function asBytes(chain: Int32Array): Uint8Array {
  return new Uint8Array(chain.buffer, chain.byteOffset, chain.byteLength);
}

function decodingFailed(status: number): CodecError {
  const reason = reasons[status] ?? `liblzma returned ${status}`;
  return new CodecError(`codec "lzma": the stored bytes cannot be decoded: ${reason}`);
}

function encodingFailed(status: number): CodecError {
  const reason = status === MEMORY_ERROR ? 'not enough memory for an encoder' : `liblzma returned ${status}`;
  return new CodecError(`codec "lzma": the chunk cannot be encoded: ${reason}`);
}

interface LzmaConfiguration {
  /** Format of the stream. 1: xz, 2: LZMA alone, 3: raw. */
  readonly format: LzmaFormat;
  /** Integrity check of xz: -1 default (CRC-64), 0 none, 1 CRC-32, 4 CRC-64, 10 SHA-256. */
  readonly check: number;
  readonly preset: number | undefined;
  readonly filters: readonly LzmaFilter[] | undefined;
}

const filterOptions = [
  'preset', 'dict_size', 'lc', 'lp', 'pb', 'mode', 'nice_len', 'mf', 'depth', 'dist', 'start_offset',
] as const; // prettier-ignore

export const lzmaCodec: BytesToBytesCodec = {
  kind: 'bytes-to-bytes',
  name: 'lzma',
  ...loadingWasm('archive'),
  create(configuration) {
    const options = parseOptions(configuration);
    // Only raw streams require filters, because the other formats store them.
    const { format, filters } = options;
    const decoding = { format, filters: format === RAW ? filters : undefined };
    return {
      encodedSize: compressedBound,
      decode(bytes, size, into) {
        try {
          return decodeLzma(bytes, decoding, size, into);
        } catch (cause) {
          // Reports unknown or incompatible filters as errors of the metadata.
          if (cause instanceof InputError) throw new MetadataError(cause.detail, { cause });
          throw cause;
        }
      },
      encode: (bytes) => encodeLzma(bytes, options),
    };
  },
};

function parseOptions(configuration: JsonObject): LzmaConfiguration {
  const filters = readObjects('lzma', configuration, 'filters')?.map(readFilter);
  const format = readFormat(configuration['format']);
  // The other formats are self-describing, so unknown options, such as GDAL's "delta", are ignored.
  if (format === RAW) checkOptions('lzma', configuration, ['format', 'check', 'preset', 'filters']);
  if (format === RAW && filters === undefined)
    throw badOption('lzma', 'filters', configuration['filters'], 'a list of filters if "format" is 3 (raw)');
  const preset = configuration['preset'] ?? undefined;
  return {
    format,
    check: readInteger('lzma', configuration, 'check', { min: -1, max: 15, absent: -1 }),
    preset:
      preset === undefined
        ? undefined
        : readInteger('lzma', configuration, 'preset', { min: 0, max: 2 ** 31 + 9 }),
    filters,
  };
}

function readFormat(value: JsonValue | undefined): LzmaFormat {
  if (value === undefined || value === null) return 1;
  if (value === 1 || value === 2 || value === 3) return value;
  throw badOption('lzma', 'format', value, '1 (xz), 2 (lzma_alone) or 3 (raw)');
}

function readFilter(part: JsonObject): LzmaFilter {
  const id = part['id'];
  if (typeof id !== 'number' && typeof id !== 'bigint')
    throw badOption('lzma', 'filters', part, 'filters with an id');
  checkOptions('lzma', part, filterOptions);
  const options: { -readonly [K in (typeof filterOptions)[number]]?: number } = {};
  for (const option of filterOptions) {
    if (part[option] === undefined) continue;
    options[option] = readInteger('lzma', part, option, { min: 0, max: 2 ** 32 - 1 });
  }
  return { id, ...options };
}
