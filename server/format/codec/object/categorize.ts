/**
 * numcodecs' `categorize`: texts from a fixed list, stored as numbers from 1. 0 means no label and is read
 * as the empty text.
 */
import { fixedItemSize } from '../../../core/dtype/data-type.js';
import { defined } from '../../../../wire/guards.js';
import { describeJson } from '../../../core/bytes/print-json.js';
import { contentsAt, ItemStore } from '../../../core/bytes/items.js';
import type { JsonObject, JsonValue } from '../../../core/bytes/json.js';
import { sizeOf } from '../../../core/bytes/shape.js';
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes/text.js';
import { textFromUtf32, utf32FromText } from '../../../../wire/data-types.js';
import { CodecError, InputError, MetadataError } from '../../../core/errors.js';
import type { ArrayToBytesCodec, ChunkRep, ChunkValues } from '../codec.js';
import { badOption, checkOptions, readBufferType } from '../configuration.js';
import { realName } from '../filter/filter.js';
import { integerNames, makeNumbers, type Numbers, readNumbers, writeNumbers } from '../filter/numbers.js';
import { checkSize, exactly } from '../size.js';
import { checkType, itemsToEncode } from './vlen.js';

export const categorizeCodec: ArrayToBytesCodec = {
  kind: 'array-to-bytes',
  name: 'categorize',
  create(configuration, rep) {
    // `dtype` repeats the data type of the array.
    checkOptions('categorize', configuration, ['labels', 'dtype', 'astype']);
    checkType('categorize', rep, 'string', 'fixed_length_utf32');
    const stored = readBufferType('categorize', configuration, 'astype', integerNames, {
      dtype: { name: 'uint8', itemSize: 1 },
      swaps: [],
    });
    // The label labels[0] is stored as 1.
    const labels = readLabels(configuration);
    const name = realName(stored.dtype.name);
    const items = itemsOfLabels(labels, rep);
    const count = sizeOf(rep.shape);
    const encodedSize = exactly(count * stored.dtype.itemSize);
    return {
      encodedSize,

      decode(bytes) {
        checkSize('categorize', bytes.length, encodedSize);
        const codes = readNumbers(bytes, stored, name);
        const codeAt = (i: number): number => checkedCode(codes[i], labels.length, i);
        if (items === undefined) return { items: labelItems(labels, count, codeAt) };
        const itemSize = fixedItemSize(rep.dtype);
        const result = new Uint8Array(count * itemSize);
        for (let i = 0; i < count; i++) {
          const item = items[codeAt(i)];
          if (item !== undefined) result.set(item, i * itemSize);
        }
        return { bytes: result };
      },

      encode(values) {
        const texts = textsOf(values, rep);
        const codes = makeNumbers(name, texts.count);
        // For duplicate labels, the last one applies.
        const codeOfLabel = new Map(labels.map((label, i) => [label, i + 1]));
        for (let i = 0; i < texts.count; i++) setCode(codes, i, codeOf(texts.at(i), codeOfLabel, i));
        return writeNumbers(codes, stored);
      },
    };
  },
};

/** Stores each label once; items with the same label share it. */
function labelItems(labels: readonly string[], count: number, codeAt: (i: number) => number): ItemStore {
  const result = new ItemStore(count);
  const texts = ['', ...labels].map(encodeUtf8);
  const starts = texts.map((text) => result.append(text, 0, text.length));
  for (let i = 0; i < count; i++) {
    const code = codeAt(i);
    result.refer(i, defined(starts[code]), defined(texts[code]).length);
  }
  return result;
}

function readLabels(configuration: JsonObject): readonly string[] {
  const labels = configuration['labels'];
  if (!Array.isArray(labels)) throw badOption('categorize', 'labels', labels, 'a list of strings');
  return labels.map((label: JsonValue) => {
    if (typeof label !== 'string') throw badOption('categorize', 'labels', labels, 'a list of strings');
    return label;
  });
}

/**
 * The elements for category 0 (empty) and for each label. They omit the zero padding of the data type, because
 * an element may take megabytes. Undefined for data type string.
 */
function itemsOfLabels(labels: readonly string[], rep: ChunkRep): readonly Uint8Array[] | undefined {
  if (rep.dtype.name !== 'fixed_length_utf32') return undefined;
  const length = rep.dtype.itemSize / 4;
  return ['', ...labels].map((label) => {
    const characters = label.length > 2 * length ? undefined : Array.from(label).length;
    const points =
      characters === undefined || characters > length ? undefined : utf32FromText(label, characters);
    if (points === undefined)
      throw new MetadataError(
        `codec "categorize": the label ${describeJson(label)} is longer than the ${length} characters of the data type`,
      );
    return new Uint8Array(points.buffer);
  });
}

function checkedCode(code: number | bigint | undefined, labels: number, i: number): number {
  const number = Number(code);
  if (number >= 0 && number <= labels) return number;
  throw new CodecError(
    `codec "categorize": element ${i} has category ${number}; categories are 0 (missing) to ${labels}`,
  );
}

/** The code of a label. Rejects unknown text, unlike numcodecs, which stores it as 0 and loses the text. */
function codeOf(text: string, codes: ReadonlyMap<string, number>, i: number): number {
  const code = codes.get(text) ?? 0;
  if (code > 0 || text === '') return code;
  throw new InputError(
    `codec "categorize": element ${i}, ${describeJson(text)}, is not one of the array's ${codes.size} labels`,
  );
}

function setCode(codes: Numbers, i: number, code: number): void {
  if (codes instanceof BigInt64Array || codes instanceof BigUint64Array) codes[i] = BigInt(code);
  else codes[i] = code;
  if (Number(codes[i]) !== code)
    throw new InputError(`codec "categorize": category ${code} does not fit in the data type in "astype"`);
}

function textsOf(
  values: ChunkValues,
  rep: ChunkRep,
): { readonly count: number; readonly at: (i: number) => string } {
  if ('items' in values) {
    const items = itemsToEncode('categorize', values, rep);
    const textAt = (i: number): string => {
      const contents = contentsAt(items, i);
      return contents === null ? '' : decodeUtf8(contents, 0, contents.length);
    };
    return { count: items.lengths.length, at: textAt };
  }
  const itemSize = fixedItemSize(rep.dtype);
  checkSize('categorize', values.bytes.length, exactly(sizeOf(rep.shape) * itemSize));
  // Copies the bytes, because a view of code points must be aligned.
  const points = new Uint32Array(new Uint8Array(values.bytes).buffer);
  const length = itemSize / 4;
  return { count: sizeOf(rep.shape), at: (i) => textFromUtf32(points, i * length, (i + 1) * length) };
}
