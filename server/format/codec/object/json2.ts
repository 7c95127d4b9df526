/** numcodecs' `json2`: a chunk of Python objects as JSON. */
import { ByteSink } from '../../../core/bytes/byte-sink.js';
import { printJson } from '../../../core/bytes/print-json.js';
import { encodeUtf8 } from '../../../core/bytes/text.js';
import { InputError, UnsupportedError } from '../../../core/errors.js';
import type { ArrayToBytesCodec, ChunkRep, ChunkValues } from '../codec.js';
import { checkOptions } from '../configuration.js';
import { atMost } from '../size.js';
import {
  checkListedType,
  checkStored,
  type ChunkElement,
  chunkElements,
  readObjectList,
  writeNested,
} from './object-list.js';
import { JsonLists, JsonValues } from './json-values.js';

/** Options of Python's `json` module. All except `encoding` are ignored. */
const knownOptions = [
  'encoding', 'skipkeys', 'ensure_ascii', 'check_circular', 'allow_nan', 'sort_keys', 'indent', 'separators', 'strict',
]; // prettier-ignore

export const json2Codec: ArrayToBytesCodec = {
  kind: 'array-to-bytes',
  name: 'json2',
  create(configuration, rep) {
    checkOptions('json2', configuration, knownOptions);
    checkListedType('json2', rep);
    const encoding = configuration['encoding'] ?? 'utf-8';
    if (encoding !== 'utf-8' && encoding !== 'utf8' && encoding !== 'ascii')
      throw new UnsupportedError(
        `codec "json2": unsupported encoding ${JSON.stringify(encoding)}; expected utf-8 or ascii`,
      );
    return {
      encodedSize: atMost(Infinity),
      decode(bytes, limit) {
        checkStored('json2', bytes, limit, 'bytes of JSON');
        return readObjectList('json2', new JsonValues(bytes), rep);
      },
      encode: (values) => encodeChunkAsJson(values, rep),
    };
  },
};

function encodeChunkAsJson(values: ChunkValues, rep: ChunkRep): Uint8Array {
  const sink = new ByteSink();
  const lists = new JsonLists(sink);
  const elements = chunkElements('json2', values, rep);
  lists.openList();
  writeNested(
    {
      openList: () => lists.openList(),
      closeList: () => lists.closeList(),
      element: (i) => lists.entry(elementText(elements.at(i), i)),
    },
    rep.shape,
  );
  lists.entry(encodeUtf8(printJson(elements.typestr)));
  lists.entry(encodeUtf8(printJson(rep.shape)));
  lists.closeList();
  return sink.bytes;
}

function elementText(element: ChunkElement, i: number): Uint8Array {
  if ('json' in element) return element.json;
  const { value } = element;
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'bigint':
      return encodeUtf8(printJson(value));
    default:
      if (value === null) return encodeUtf8('null');
      throw new InputError(`codec "json2": element ${i} contains bytes, which JSON cannot represent`);
  }
}
