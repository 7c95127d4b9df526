import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../server/zarr/index.js';
import { createDefaultRegistry } from '../../../server/format/codec/registry.js';
import { openHierarchy } from '../../../server/zarr/hierarchy.js';
import { parseRepeated } from '../../../server/zarr/documents/repeated-texts.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

test('equal texts share one value that cannot be changed', () => {
  const value = parseRepeated(encode('{"a": [1, {"b": 2.0}], "ä": 18446744073709551615}'));
  expect(parseRepeated(encode('{"a": [1, {"b": 2.0}], "ä": 18446744073709551615}'))).toBe(value);
  expect(value).toEqual({ a: [1, { b: 2 }], ä: 18446744073709551615n });
  expect(() => Object.assign(Object(value).a[1], { b: 3 })).toThrow(TypeError);
  // A text with an additional space is another text.
  expect(parseRepeated(encode('{"a": [1, {"b": 2.0}], "ä":  18446744073709551615}'))).not.toBe(value);
  expect(parseRepeated(encode('"ä"'))).toBe('ä');
  expect(() => parseRepeated(Uint8Array.of(34, 0xe4, 34))).toThrow('not valid UTF-8');
  expect(() => parseRepeated(encode('{"a": 1, "a": 1}'))).toThrow('"a"');
});

test('long texts are not kept', () => {
  const text = encode(JSON.stringify(['x'.repeat(5000)]));
  expect(parseRepeated(text)).not.toBe(parseRepeated(text));
});

/** A store of arrays with one consolidated document. @param unitsOf the attribute of each array */
async function listedStore(count: number, unitsOf: (i: number) => string) {
  const array = (i: number) => ({
    ...{ zarr_format: 3, node_type: 'array', shape: [4], data_type: 'uint8', fill_value: 0 },
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [4] } },
    chunk_key_encoding: { name: 'default' },
    ...{ codecs: [{ name: 'bytes' }], attributes: { units: unitsOf(i) } },
  });
  const metadata = Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, array(i)]));
  const consolidated = { kind: 'inline', must_understand: false, metadata };
  const group = { zarr_format: 3, node_type: 'group', consolidated_metadata: consolidated };
  const store = createMemoryStore({ label: 'm' });
  await store.set('zarr.json', encode(JSON.stringify(group)));
  return store;
}

/** Lists and opens all nodes. @returns their units, and the numbers of bound codecs and of distinct paths */
async function listAll(store: Awaited<ReturnType<typeof listedStore>>) {
  const registry = createDefaultRegistry();
  const bytes = registry.codecs.get('bytes');
  if (bytes?.kind !== 'array-to-bytes') throw new Error('no such codec');
  let bound = 0;
  const counting = {
    ...bytes,
    create: (...args: Parameters<typeof bytes.create>) => {
      bound++;
      return bytes.create(...args);
    },
  };
  const codecs = new Map([...registry.codecs, ['bytes', counting]]);
  const units: unknown[] = [];
  const paths = new Set<string>();
  for await (const entry of openHierarchy(store, { registry: { ...registry, codecs } }).walk('/')) {
    const node = entry.open();
    paths.add(node.path);
    units.push(node.meta.attributes['units']);
  }
  return { bound, units, paths: paths.size };
}

test('nodes with the same documents share their metadata, and no others', async () => {
  const same = await listAll(await listedStore(3000, () => 'K'));
  expect(same).toMatchObject({ bound: 1, paths: 3000 });
  const pairs = await listAll(await listedStore(600, (i) => `m${i >> 1}`));
  expect(pairs.bound).toBe(300);
  expect(new Set(pairs.units).size).toBe(300);
});
