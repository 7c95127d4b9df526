/** v3's `codecs`: names or {name, configuration, must_understand} (core specification, "Codecs" and "Extensions"). */
import { describeJson } from '../bytes/describe-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../bytes/json.js';
import type { CodecChain, CodecSpec } from '../codec/codec.js';
import { MetadataError } from '../errors.js';
import type { ArrayMeta } from './model.js';

/** An extension in either of its forms: a bare name stands for one without configuration. @throws MetadataError */
export function parseNamed(json: JsonValue | undefined, what: string): CodecSpec {
  if (typeof json === 'string') return { name: json, configuration: {} };
  if (isJsonObject(json)) {
    const { name, configuration, must_understand: must = true } = json;
    const options: JsonObject | undefined =
      configuration === undefined || configuration === null
        ? {}
        : isJsonObject(configuration)
          ? configuration
          : undefined;
    if (typeof name === 'string' && options !== undefined && typeof must === 'boolean')
      return { name, configuration: options };
  }
  throw new MetadataError(
    `${what} is ${describeJson(json)}; it must be a name or {"name": ..., "configuration": {...}}`,
  );
}

/**
 * The chain's specs. A codec that is not known makes the chain unsupported, also where it is marked
 * `must_understand: false`: bytes that it changed would else be returned as values, wrong and without a word.
 * @throws MetadataError
 */
export function parseV3Codecs(json: JsonValue | undefined): readonly CodecSpec[] {
  if (!Array.isArray(json) || json.length === 0)
    throw new MetadataError(
      `codecs is ${describeJson(json)}; it must be a list with an array-to-bytes codec`,
    );
  return (json as readonly JsonValue[]).map((codec, i) => parseNamed(codec, `codecs[${i}]`));
}

/** F where the transposes on the way to a chunk, through all shards, reverse the dimensions: what v2 calls order F. */
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
