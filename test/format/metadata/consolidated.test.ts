import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonValue } from '../../../server/core/bytes/json.js';
import { createDefaultRegistry } from '../../../server/format/codec/registry.js';
import { MetadataError, UnsupportedError } from '../../../server/core/errors.js';
import { withEmptyConsolidated, withoutConsolidated } from '../../../server/format/metadata/consolidated.js';
import { nodeKindOf, resolveNode } from '../../../server/format/metadata/resolve-node.js';
import { readFileSync } from 'node:fs';
import { parseJson } from '../../../server/core/bytes/parse-json.js';
import { printJson } from '../../../server/core/bytes/print-json.js';
import { defaultMetadataLimits } from '../../../server/core/limits.js';
import { ConsolidatedIndex } from '../../../server/zarr/documents/consolidated-index.js';
import { runToEnd } from '../../../server/core/turns.js';
import { bad, matrix } from './fixture-documents.js';

const read = (root: URL, path: string): JsonValue => parseJson(readFileSync(new URL(path, root)));
const indexOf = (json: JsonValue, name: 'zarr.json' | '.zmetadata') => {
  const bytes = new TextEncoder().encode(printJson(json));
  return runToEnd(ConsolidatedIndex.make({ prefix: '', name, bytes, limits: defaultMetadataLimits }));
};
const nodesOf = (json: JsonValue, name: 'zarr.json' | '.zmetadata' = 'zarr.json') => {
  const nodes = indexOf(json, name)?.below('', { recursive: true, after: undefined }) ?? [];
  return new Map(
    [...nodes].flatMap((node) =>
      node === undefined ? [] : [[`/${node.prefix}`, runToEnd(node.documents())]],
    ),
  );
};
const kinds = (nodes: ReadonlyMap<string, Parameters<typeof nodeKindOf>[0]>) =>
  Object.fromEntries([...nodes].map(([path, documents]) => [path, nodeKindOf(documents)]));

const tree = {
  '/a': 'group',
  '/a/b': 'group',
  '/a/b/scalar': 'array',
  '/a/x': 'array',
  '/top': 'array',
};

describe('stores of the matrix', () => {
  test('v2', () => {
    const nodes = nodesOf(read(matrix, 'v2/groups-consolidated.zarr/.zmetadata'), '.zmetadata');
    expect(kinds(nodes)).toEqual(tree);
    const x = resolveNode(nodes.get('/a/x') ?? {}, createDefaultRegistry());
    expect(x).toMatchObject({ kind: 'array', shape: [2, 3] });
    expect(x?.attributes).toHaveProperty('units');
  });

  test('v3, with consolidated metadata of nested groups', () => {
    for (const store of ['groups-consolidated', 'groups-consolidated-nested']) {
      expect(kinds(nodesOf(read(matrix, `v3/${store}.zarr/zarr.json`)))).toEqual(tree);
    }
  });

  test('absent and null consolidated metadata are ignored', () => {
    expect(indexOf(read(matrix, 'v3/groups.zarr/zarr.json'), 'zarr.json')).toBeUndefined();
    expect(indexOf(read(matrix, 'v3/groups-consolidated-null.zarr/zarr.json'), 'zarr.json')).toBeUndefined();
  });

  test('a key outside the store is rejected', () => {
    expect(() => nodesOf(read(bad, 'path-v2-consolidated.zarr/.zmetadata'), '.zmetadata')).toThrow(
      MetadataError,
    );
    expect(() => nodesOf(read(bad, 'path-v3-consolidated.zarr/zarr.json'))).toThrow(MetadataError);
  });
});

const array = { zarr_format: 3, node_type: 'array' };
const group = (metadata?: JsonValue) => ({
  zarr_format: 3,
  node_type: 'group',
  ...(metadata === undefined
    ? {}
    : { consolidated_metadata: { kind: 'inline', must_understand: false, metadata } }),
});

describe('v3 forms', () => {
  test('nested consolidated metadata is merged, and the outer one takes precedence', () => {
    const outer = { ...array, attributes: { from: 'outer' } };
    const nodes = nodesOf(group({ a: group({ x: array, y: array }), 'a/x': outer }));
    expect([...nodes.keys()]).toEqual(['/a', '/a/x', '/a/y']);
    expect(nodes.get('/a/x')?.zarrJson).toEqual(outer);
  });

  test('another kind is ignored only if optional', () => {
    expect(
      indexOf({ ...group(), consolidated_metadata: { kind: 'x', must_understand: false } }, 'zarr.json'),
    ).toBeUndefined();
    expect(() => nodesOf({ ...group(), consolidated_metadata: { kind: 'x' } })).toThrow(UnsupportedError);
  });

  test.each<[JsonValue]>([[5], [{ kind: 'inline' }], [{ kind: 'inline', metadata: [] }]])(
    '%j is rejected',
    (json) => expect(() => nodesOf({ ...group(), consolidated_metadata: json })).toThrow(MetadataError),
  );

  test('one broken node does not affect other nodes', () => {
    // An entry that is neither a group nor an array is not listed.
    expect(kinds(nodesOf(group({ a: 5, b: array })))).toEqual({ '/b': 'array' });
  });
});

test('another version of v2 consolidated metadata is unsupported, and a missing list of documents is invalid', () => {
  expect(() => nodesOf({ zarr_consolidated_format: 2, metadata: {} }, '.zmetadata')).toThrow(
    UnsupportedError,
  );
  expect(() => nodesOf({ zarr_consolidated_format: 1 }, '.zmetadata')).toThrow(MetadataError);
});

test.each([
  ['withoutConsolidated', withoutConsolidated],
  ['withEmptyConsolidated', withEmptyConsolidated],
])('%s keeps floats without a fraction', (_, change) => {
  const group = parseJson(new TextEncoder().encode('{"x":2.0,"consolidated_metadata":null}'));
  if (!isJsonObject(group)) throw new TypeError('not an object');
  expect(printJson(change(group))).toContain('"x":2.0');
});
