/** xz, LZMA alone (.lzma) and raw LZMA streams by liblzma, as stored by numcodecs' "lzma". */
import { CodecError, InputError } from '../../errors.js';
import { archive } from './modules.js';
import type { WasmCall } from './module.js';
import { packFilters, type LzmaFilter } from './lzma-filters.js';
import { checkBytes, mostBytes, type OutputSize, overflow } from './output-size.js';
import { collectOutput } from './growable-buffer.js';

/** Python's and numcodecs' numbers: 1 xz, 2 alone, 3 raw. */
export type LzmaFormat = 1 | 2 | 3;

export interface LzmaDecodeOptions {
  readonly format: LzmaFormat;
  /** Required for raw streams, which do not store them; not allowed otherwise. */
  readonly filters?: readonly LzmaFilter[] | undefined;
}

export interface LzmaEncodeOptions {
  readonly format: LzmaFormat;
  /** For xz: -1 default (CRC-64), 0 none, 1 CRC-32, 4 CRC-64, 10 SHA-256. */
  readonly check?: number | undefined;
  /** 0 to 9, plus 2^31 for "extreme". Default 6 without filters. */
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

/** Return codes of liblzma (lzma_ret). */
const OK = 0;
const STREAM_END = 1;
const MEMORY = 5;
const CUT = 10;
const reasons: Readonly<Record<number, string>> = {
  3: 'they use an unknown integrity check',
  [MEMORY]: 'not enough memory for a decoder',
  7: 'they do not start with the header of this format',
  8: 'they require filters or options that are not supported',
  9: 'they are corrupt',
  [CUT]: 'they end before the stream does',
};

/**
 * A match has at most 273 bytes and takes 14 decisions of at least 0.022 bits each, a ratio of 7,090. Twice
 * this ratio bounds the useful size of a dictionary.
 */
const MAX_RATIO = 2 ** 14;

/**
 * Header of .lzma: 1 byte of properties, 4 bytes of dictionary size, 8 bytes of decoded size (2^64-1 if
 * unknown).
 */
const ALONE_HEADER_BYTES = 13;
const UNKNOWN_SIZE = 2n ** 64n - 1n;

/**
 * Decodes; for xz, all concatenated streams. Memory for the dictionary is bounded by `size` and the source,
 * regardless of the header.
 * @param into if given, the result is copied to its start; otherwise the result is a view that is valid
 * until the next call of a bzip2 or lzma function
 * @throws CodecError, also for extra bytes after the last stream; LimitError; InputError for unknown
 * filters
 */
export function decodeLzma(
  source: Uint8Array,
  options: LzmaDecodeOptions,
  size: OutputSize,
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
    const place = chain === undefined ? 0 : call.place(asBytes(chain));
    const ceiling = Math.min(most + 1, source.length * MAX_RATIO);
    try {
      const status = open(format, place, filters?.length ?? 0, ceiling, call.source, source.length);
      if (status !== OK) throw failed(status);
      const { block, bytes, overflowed } = collectOutput(call, firstRoom(source, size), most, stepOf(call));
      if (overflowed) throw overflow('lzma', size);
      const rest = call.functions.lzma_input_left() >>> 0;
      if (rest > 0) throw new CodecError(`codec "lzma": ${rest} extra bytes after the stream`);
      checkBytes('lzma', bytes, size);
      return call.copyOut(block, bytes, into);
    } finally {
      call.functions.lzma_close();
    }
  });
}

/**
 * Encodes into a new buffer. Dictionaries are no larger than the source, to save memory here and in readers.
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
      `codec "lzma": preset is ${preset}; it must be from 0 to 9, optionally plus 2^31 (extreme)`,
    );
  const chain = filters === undefined ? undefined : packFilters(filters);
  return archive.run('lzma', source, (call, source) => {
    const open = call.functions.lzma_encode_open;
    const place = chain === undefined ? 0 : call.place(asBytes(chain));
    const usedCheck = check === -1 ? CRC64 : check;
    try {
      const length = source.length;
      const status = open(format, usedCheck, preset | 0, place, filters?.length ?? 0, call.source, length);
      if (status === MEMORY) throw failed(status);
      if (status !== OK)
        throw new InputError(`codec "lzma": invalid filter chain (liblzma returned ${status})`);
      const { block, bytes } = collectOutput(
        call,
        Math.ceil(length / 2) + 1024,
        2 * length + 2 ** 16,
        stepOf(call),
      );
      return call.view(block, bytes).slice();
    } finally {
      call.functions.lzma_close();
    }
  });
}

function stepOf(call: WasmCall<'lzma_step' | 'lzma_room_left'>) {
  return (to: number, capacity: number) => {
    const status = call.functions.lzma_step(to, capacity);
    if (status !== OK && status !== STREAM_END) throw failed(status);
    return { left: call.functions.lzma_room_left() >>> 0, ended: status === STREAM_END };
  };
}

function firstRoom(source: Uint8Array, size: OutputSize): number {
  return 'exact' in size ? size.exact + 1 : 2 ** 16 + 4 * source.length;
}

function checkAloneSize(source: Uint8Array, size: OutputSize): void {
  if (source.length < ALONE_HEADER_BYTES) throw failed(CUT);
  const claimed = new DataView(source.buffer, source.byteOffset + 5, 8).getBigUint64(0, true);
  if (claimed !== UNKNOWN_SIZE) checkBytes('lzma', Number(claimed), size);
}

function asBytes(chain: Int32Array): Uint8Array {
  return new Uint8Array(chain.buffer, chain.byteOffset, chain.byteLength);
}

function failed(status: number): CodecError {
  const reason = reasons[status] ?? `liblzma returned ${status}`;
  return new CodecError(`codec "lzma": the stored bytes cannot be decoded: ${reason}`);
}
