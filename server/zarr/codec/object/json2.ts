/** numcodecs' `json2`: a chunk of Python objects as JSON. */
import { ByteSink } from '../../bytes/byte-sink.js';
import { printJson } from '../../bytes/print-json.js';
import { encodeUtf8 } from '../../bytes/text.js';
import { InputError, LimitError, UnsupportedError } from '../../errors.js';
import { type ChunkElement, chunkElements } from './chunk-elements.js';
import type { ArrayToBytesCodec } from '../codec.js';
import { checkOptions } from '../configuration.js';
import { JsonLists, JsonValues } from './json-values.js';
import { checkListedType, readObjectList, writeNested } from './object-list.js';
import { atMost } from '../size.js';

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
    return readObjectList('json2', new JsonValues(bytes), rep);
  },

  encode(_configuration, values, rep) {
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
  },
};

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
      throw new InputError(`codec "json2": item ${i} holds bytes, which JSON has no form for`);
  }
}
