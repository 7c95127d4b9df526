/** numcodecs' `lzma`: xz, LZMA alone or a raw stream, with the constants of Python's `lzma` module. */
import type { JsonObject, JsonValue } from '../../bytes/json.js';
import { InputError, MetadataError } from '../../errors.js';
import type { BytesToBytesCodec } from '../codec.js';
import { badOption, checkOptions, readInteger, readObjects } from '../configuration.js';
import { compressedBound } from '../size.js';
import type { LzmaFilter } from '../wasm/lzma-filters.js';
import { decodeLzma, encodeLzma, type LzmaFormat } from '../wasm/lzma.js';
import { loadingWasm } from '../wasm/load.js';
import { outputSize } from '../wasm/output-size.js';

interface LzmaConfiguration {
  /** 1: xz, 2: LZMA alone, 3: raw. */
  readonly format: LzmaFormat;
  /** For xz: -1 default (CRC-64), 0 none, 1 CRC-32, 4 CRC-64, 10 SHA-256. */
  readonly check: number;
  readonly preset: number | undefined;
  readonly filters: readonly LzmaFilter[] | undefined;
}

const RAW = 3;
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
          return decodeLzma(bytes, decoding, outputSize(size), into);
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
  // The other formats are self-describing (GDAL adds "delta").
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
