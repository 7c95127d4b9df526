/** xz, LZMA alone (.lzma) and raw LZMA streams by liblzma, as numcodecs' "lzma" stores them. */
import { CodecError, InputError } from '../../errors.js';
import { archive } from './hosts.js';
import type { WasmCall } from './host.js';
import { packFilters, type LzmaFilter } from './lzma-filters.js';
import { checkBytes, mostBytes, type OutputSize, overflow } from './output-size.js';
import { collect } from './room.js';

/** Python's and numcodecs' numbers: 1 xz, 2 alone, 3 raw. */
export type LzmaFormat = 1 | 2 | 3;

export interface LzmaDecodeOptions {
  readonly format: LzmaFormat;
  /** Needed for raw streams, where nothing else names them; not allowed elsewhere. */
  readonly filters?: readonly LzmaFilter[] | undefined;
}

export interface LzmaEncodeOptions {
  readonly format: LzmaFormat;
  /** Of xz: -1 the default (CRC-64), 0 none, 1 CRC-32, 4 CRC-64, 10 SHA-256. */
  readonly check?: number | undefined;
  /** 0 to 9, plus 2^31 for "extreme"; 6 if neither it nor filters are given. */
  readonly preset?: number | undefined;
  readonly filters?: readonly LzmaFilter[] | undefined;
}

const XZ = 1;
const ALONE = 2;
const RAW = 3;
const DEFAULT_PRESET = 6;
const CRC64 = 4;
const CHECKS: readonly number[] = [0, 1, CRC64, 10];
const EXTREME = 2 ** 31;

/** lzma_ret. */
const OK = 0;
const STREAM_END = 1;
const MEMORY = 5;
const CUT = 10;
const reasons: Readonly<Record<number, string>> = {
  3: 'they carry a check of an unknown kind',
  [MEMORY]: 'there is no memory for a decoder',
  7: 'they do not begin as this format does',
  8: 'they ask for filters or options that are not supported',
  9: 'they are corrupt',
  [CUT]: 'they end before the stream does',
};

/**
 * A match has at most 273 bytes and takes 14 decisions of at least 0.022 bits each, which makes 7,090 to 1; twice that
 * bounds the dictionary that a stream can have use for.
 */
const MAX_RATIO = 2 ** 14;

/** .lzma: 1 byte of properties, 4 of dictionary size, then the decoded size, 2^64-1 where it is not known. */
const ALONE_HEADER_BYTES = 13;
const UNKNOWN_SIZE = 2n ** 64n - 1n;

/**
 * Decodes; of xz, all streams in a row. Memory for the dictionary is bounded by `size` and
 * the source, whatever a header asks for.
 * @param into if given, the result is copied to its start; else the result is a view that lives until the next call of
 *   any function of bzip2 or lzma here
 * @throws CodecError, also for bytes behind the last stream; LimitError; InputError for filters that do not exist
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
      'codec "lzma": filters must be given for raw streams (format 3) and for nothing else',
    );
  if (format === ALONE) checkAloneSize(source, size);
  const chain = filters === undefined ? undefined : packFilters(filters);
  return archive.run('lzma', source, (call, source) => {
    const open = call.functions.lzma_decode_open;
    const place = chain === undefined ? 0 : call.place(bytesOf(chain));
    const ceiling = Math.min(most + 1, source.length * MAX_RATIO);
    try {
      const status = open(format, place, filters?.length ?? 0, ceiling, call.source, source.length);
      if (status !== OK) throw failed(status);
      const { block, bytes, overflowed } = collect(call, firstRoom(source, size), most, stepOf(call));
      if (overflowed) throw overflow('lzma', size);
      const rest = call.functions.lzma_input_left() >>> 0;
      if (rest > 0) throw new CodecError(`codec "lzma": ${rest} bytes are stored behind the stream`);
      checkBytes('lzma', bytes, size);
      return call.deliver(block, bytes, into);
    } finally {
      call.functions.lzma_close();
    }
  });
}

/**
 * Encodes into a buffer of its own. Dictionaries are no larger than the source, so that neither this nor a reader takes
 * memory for nothing.
 * @throws InputError for options that do not exist or do not go together
 */
export function encodeLzma(source: Uint8Array, options: LzmaEncodeOptions): Uint8Array {
  const { format, filters, preset = DEFAULT_PRESET, check = -1 } = options;
  if (check !== -1 && (format === XZ ? !CHECKS.includes(check) : check !== 0))
    throw new InputError(`codec "lzma": check ${check} does not exist in format ${format}`);
  if (format === RAW && filters === undefined)
    throw new InputError('codec "lzma": raw streams (format 3) need filters');
  if (filters !== undefined && options.preset !== undefined)
    throw new InputError('codec "lzma": preset and filters exclude each other');
  if (!Number.isInteger(preset) || preset < 0 || preset % EXTREME > 9 || preset > EXTREME + 9)
    throw new InputError(`codec "lzma": preset is ${preset}, it must be 0 to 9, or that plus 2^31`);
  const chain = filters === undefined ? undefined : packFilters(filters);
  return archive.run('lzma', source, (call, source) => {
    const open = call.functions.lzma_encode_open;
    const place = chain === undefined ? 0 : call.place(bytesOf(chain));
    const usedCheck = check === -1 ? CRC64 : check;
    try {
      const length = source.length;
      const status = open(format, usedCheck, preset | 0, place, filters?.length ?? 0, call.source, length);
      if (status === MEMORY) throw failed(status);
      if (status !== OK)
        throw new InputError(`codec "lzma": these filters do not go together (liblzma's code ${status})`);
      const { block, bytes } = collect(
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

function bytesOf(chain: Int32Array): Uint8Array {
  return new Uint8Array(chain.buffer, chain.byteOffset, chain.byteLength);
}

function failed(status: number): CodecError {
  const reason = reasons[status] ?? `liblzma's code is ${status}`;
  return new CodecError(`codec "lzma": the stored bytes cannot be decoded: ${reason}`);
}
