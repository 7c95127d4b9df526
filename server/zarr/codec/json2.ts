/** numcodecs' `json2`: a chunk of Python objects as JSON. */
import type { JsonValue } from '../bytes/json.js';
import { parseJson } from '../bytes/parse-json.js';
import { printJson } from '../bytes/print-json.js';
import { CodecError, InputError, LimitError, MetadataError, UnsupportedError } from '../errors.js';
import type { ArrayToBytesCodec } from './codec.js';
import { checkOptions } from './configuration.js';
import { checkListedType, listOfValues, valuesOfList } from './object-list.js';
import { atMost } from './size.js';
import { encodeUtf8 } from './text.js';

/** How Python writes the text: nothing that a reader must know. */
const OPTIONS = [
  'encoding', 'skipkeys', 'ensure_ascii', 'check_circular', 'allow_nan', 'sort_keys', 'indent', 'separators', 'strict',
]; // prettier-ignore

export const json2Codec: ArrayToBytesCodec<null> = {
  kind: 'array-to-bytes',
  name: 'json2',
  parse(configuration, rep) {
    checkOptions('json2', configuration, OPTIONS);
    checkListedType('json2', rep);
    const encoding = configuration['encoding'] ?? 'utf-8';
    if (encoding !== 'utf-8' && encoding !== 'utf8' && encoding !== 'ascii')
      throw new UnsupportedError(
        `codec "json2": the encoding ${JSON.stringify(encoding)} is not supported, only utf-8`,
      );
    return null;
  },
  encodedSize: () => atMost(Infinity),

  decode(_configuration, bytes, rep, limit) {
    if (bytes.length > limit)
      throw new LimitError(
        `codec "json2": the chunk has ${bytes.length} bytes of JSON, ${limit} are allowed`,
        {
          excess: [{ limit: 'maxDecodedBytes', allowed: limit, needed: bytes.length }],
        },
      );
    let list: JsonValue;
    try {
      list = parseJson(bytes);
    } catch (cause) {
      if (cause instanceof MetadataError)
        throw new CodecError(`codec "json2": the chunk is no JSON: ${cause.detail}`, { cause });
      throw cause;
    }
    return valuesOfList('json2', list, rep);
  },

  encode(_configuration, values, rep) {
    return encodeUtf8(printJson(toJson(listOfValues('json2', values, rep), 0)));
  },
};

const MAX_DEPTH = 64;

function toJson(value: unknown, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw new InputError(`codec "json2": a value nests deeper than ${MAX_DEPTH}`);
  if (value === null || value === undefined) return null;
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'bigint':
      return value;
    case 'object':
      if (Array.isArray(value)) return value.map((part: unknown) => toJson(part, depth + 1));
      if (ArrayBuffer.isView(value)) break;
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toJson(part, depth + 1)]));
    default:
  }
  throw new InputError(`codec "json2": a value of the type ${typeof value} cannot be written as JSON`);
}
