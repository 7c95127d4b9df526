/**
 * `reshape`: changes the shape of chunks, not the order of their elements (zarr-extensions, codecs/reshape). Codecs after
 * it see the other shape, so that a chunk becomes an image for example.
 */
import { defined } from '../../../../wire/guards.js';
import type { JsonObject, JsonValue } from '../../../core/bytes/json.js';
import { sizeOf } from '../../../core/bytes/shape.js';
import { MetadataError } from '../../../core/errors.js';
import type { ArrayToArrayCodec } from '../codec.js';
import { badOption, checkOptions } from '../configuration.js';
import { metadataBounds } from '../../../core/limits.js';

/** The size of a dimension of the result, the input dimensions that it joins, or -1 for what is left. */
type OutputSize = number | readonly number[];

const NAME = 'reshape';

export const reshapeCodec: ArrayToArrayCodec = {
  kind: 'array-to-array',
  name: NAME,
  create(configuration, rep) {
    checkOptions(NAME, configuration, ['shape']);
    const encodedRep = { ...rep, shape: outputShape(parseShape(configuration), rep.shape) };
    return { encodedRep, decode: (bytes) => bytes, encode: (bytes) => bytes };
  },
};

function parseShape(configuration: JsonObject): readonly OutputSize[] {
  const shape = configuration['shape'];
  const wanted = 'a list of sizes, lists of dimensions, and at most one -1';
  const isIndex = (value: JsonValue): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  if (!Array.isArray(shape) || shape.length > metadataBounds.maxRank)
    throw badOption(NAME, 'shape', shape, wanted);
  const parsed = shape.map((size: JsonValue): OutputSize => {
    if (Array.isArray(size) && size.every(isIndex)) return size;
    if (typeof size === 'number' && Number.isSafeInteger(size) && (size > 0 || size === -1)) return size;
    throw badOption(NAME, 'shape', shape, wanted);
  });
  const joined = parsed.flatMap((size) => (typeof size === 'number' ? [] : size));
  if (joined.some((d, i) => i > 0 && d <= defined(joined[i - 1])))
    throw badOption(NAME, 'shape', shape, 'lists of dimensions in increasing order');
  if (parsed.filter((size) => size === -1).length > 1) throw badOption(NAME, 'shape', shape, wanted);
  return parsed;
}

/** @throws MetadataError if the numbers of elements differ, or joined dimensions would not be consecutive elements */
function outputShape(wanted: readonly OutputSize[], input: readonly number[]): number[] {
  const fail = (problem: string): never => {
    throw new MetadataError(
      `codec "${NAME}": ${problem}; its input has the shape (${input.join(', ')}) and "shape" is ${JSON.stringify(wanted)}`,
    );
  };
  const sizes = wanted.map((size) => {
    if (typeof size === 'number') return size;
    if (size.some((d) => d >= input.length)) return fail('it names a dimension that does not exist');
    return sizeOf(size.map((d) => defined(input[d])));
  });
  const total = sizeOf(input);
  const known = sizeOf(sizes.filter((size) => size !== -1));
  const shape = sizes.map((size) => (size === -1 ? total / known : size));
  if (shape.some((size) => !Number.isSafeInteger(size)) || sizeOf(shape) !== total)
    fail('the numbers of elements differ');
  for (const [i, size] of wanted.entries()) {
    const [first, last] = typeof size === 'number' ? [] : [size[0], size.at(-1)];
    if (first === undefined || last === undefined) continue;
    if (
      sizeOf(shape.slice(0, i)) !== sizeOf(input.slice(0, first)) ||
      sizeOf(shape.slice(i + 1)) !== sizeOf(input.slice(last + 1))
    )
      fail(`dimension ${i} of the result would not consist of the input dimensions that it names`);
  }
  return shape;
}
