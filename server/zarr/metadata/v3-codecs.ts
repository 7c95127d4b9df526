/** v3's `codecs`: names or {name, configuration, must_understand} (core specification, "Codecs" and "Extensions"). */
import { describeJson } from '../bytes/describe-json.js';
import { isJsonList, type JsonValue } from '../bytes/json.js';
import { parseNamed } from '../bytes/named-json.js';
import { assertCodecCount } from '../codec/codec-count.js';
import type { CodecChain, CodecSpec } from '../codec/codec.js';
import { MetadataError } from '../errors.js';
import type { ArrayMeta } from './model.js';

/**
 * The specs of the codec chain. An unknown codec makes the chain unsupported even if it is marked
 * `must_understand: false`: otherwise, encoded bytes would be returned as values.
 * @throws MetadataError
 */
export function parseV3Codecs(json: JsonValue | undefined): readonly CodecSpec[] {
  if (!isJsonList(json) || json.length === 0)
    throw new MetadataError(
      `codecs is ${describeJson(json)}; it must be a list with an array-to-bytes codec`,
    );
  assertCodecCount(json.length, 'codecs');
  return json.map((codec, i) => parseNamed(codec, `codecs[${i}]`));
}

/**
 * F if the transposes of the chain, through all levels of sharding, reverse the dimensions, which is
 * equivalent to order F in v2.
 */
export function storedOrder(chain: ArrayMeta['chain'], rank: number): 'C' | 'F' {
  if ('unsupported' in chain || rank < 2) return 'C';
  let order = Array.from({ length: rank }, (_, d) => d);
  for (
    let level: CodecChain | undefined = chain;
    level !== undefined;
    level = level.arrayToBytes.shard?.chain
  )
    for (const { permutation } of level.arrayToArray)
      if (permutation !== undefined) order = permutation.map((d) => order[d] ?? d);
  return order.every((d, i) => d === rank - 1 - i) ? 'F' : 'C';
}
