import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonValue } from '../../../server/zarr/bytes/json.js';
import { createDefaultRegistry } from '../../../server/zarr/codec/registry.js';
import { MetadataError, UnsupportedError } from '../../../server/zarr/errors.js';
import {
  consolidatedOf,
  consolidateV2,
  consolidateV3,
  parseConsolidatedV2,
} from '../../../server/zarr/metadata/consolidated.js';
import { kindOf, resolveNode } from '../../../server/zarr/metadata/resolve-node.js';
import { readFileSync } from 'node:fs';
import { parseJson } from '../../../server/zarr/bytes/parse-json.js';
import { bad, matrix } from './fixture-documents.js';

const read = (root: URL, path: string): JsonValue => parseJson(readFileSync(new URL(path, root)));
const kinds = (nodes: ReadonlyMap<string, Parameters<typeof kindOf>[0]>) =>
  Object.fromEntries([...nodes].map(([path, documents]) => [path, kindOf(documents)]));

const tree = {
  '/': 'group',
  '/a': 'group',
  '/a/b': 'group',
  '/a/b/scalar': 'array',
  '/a/x': 'array',
  '/top': 'array',
};

describe('stores of the matrix', () => {
  test('v2', () => {
    const { nodes } = parseConsolidatedV2(read(matrix, 'v2/groups-consolidated.zarr/.zmetadata'));
    expect(kinds(nodes)).toEqual(tree);
    const x = resolveNode(nodes.get('/a/x') ?? {}, createDefaultRegistry());
    expect(x).toMatchObject({ kind: 'array', shape: [2, 3] });
    expect(x?.attributes).toHaveProperty('units');
  });

  test('v3, where groups within carry their own as well', () => {
    for (const store of ['groups-consolidated', 'groups-consolidated-nested']) {
      const consolidated = consolidatedOf(read(matrix, `v3/${store}.zarr/zarr.json`));
      expect(kinds(consolidated?.nodes ?? new Map())).toEqual(tree);
    }
  });

  test('none', () => {
    expect(consolidatedOf(read(matrix, 'v3/groups.zarr/zarr.json'))).toBeUndefined();
    expect(consolidatedOf(read(matrix, 'v3/groups-consolidated-null.zarr/zarr.json'))).toBeUndefined();
  });

  test('a key that leaves the store is refused', () => {
    expect(() => parseConsolidatedV2(read(bad, 'path-v2-consolidated.zarr/.zmetadata'))).toThrow(
      MetadataError,
    );
    expect(() => consolidatedOf(read(bad, 'path-v3-consolidated.zarr/zarr.json'))).toThrow(MetadataError);
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
  test('what only an inner group knows is added, what the outer one says wins', () => {
    const outer = { ...array, attributes: { from: 'outer' } };
    const nodes = consolidatedOf(group({ a: group({ x: array, y: array }), 'a/x': outer }))?.nodes;
    expect([...(nodes?.keys() ?? [])].toSorted()).toEqual(['/', '/a', '/a/x', '/a/y']);
    expect(nodes?.get('/a/x')?.zarrJson).toBe(outer);
  });

  test('another kind is passed over only if it may be', () => {
    expect(
      consolidatedOf({ ...group(), consolidated_metadata: { kind: 'x', must_understand: false } }),
    ).toBeUndefined();
    expect(() => consolidatedOf({ ...group(), consolidated_metadata: { kind: 'x' } })).toThrow(
      UnsupportedError,
    );
  });

  test.each<[JsonValue]>([[5], [{ kind: 'inline' }], [{ kind: 'inline', metadata: [] }]])(
    '%j is refused',
    (json) =>
      expect(() => consolidatedOf({ ...group(), consolidated_metadata: json })).toThrow(MetadataError),
  );

  test('one broken node spoils nothing else', () => {
    const nodes = consolidatedOf(group({ a: 5, b: array }))?.nodes;
    expect(kinds(nodes ?? new Map())).toEqual({ '/': 'group', '/a': undefined, '/b': 'array' });
  });
});

test('another v2 form is not supported', () => {
  expect(() => parseConsolidatedV2({ zarr_consolidated_format: 2, metadata: {} })).toThrow(UnsupportedError);
  expect(() => parseConsolidatedV2({ zarr_consolidated_format: 1 })).toThrow(MetadataError);
});

describe('writing', () => {
  test('v2 comes back as it was read', () => {
    const document = read(matrix, 'v2/groups-consolidated.zarr/.zmetadata');
    const { nodes } = parseConsolidatedV2(document);
    expect(parseConsolidatedV2(consolidateV2(nodes))).toEqual(parseConsolidatedV2(document));
    expect(consolidateV2(nodes)).toEqual(document);
  });

  test('v3 comes back as it was read', () => {
    const document = read(matrix, 'v3/groups-consolidated.zarr/zarr.json');
    if (!isJsonObject(document)) throw new Error('no object');
    expect(consolidateV3(document, consolidatedOf(document)?.nodes ?? [])).toEqual(document);
  });

  test('v3 inner metadata is written once', () => {
    const written = consolidateV3(group(), [['/', {}], ['/a', { zarrJson: group({ x: array }) }], ['/a/x', { zarrJson: array }]]); // prettier-ignore
    expect(written['consolidated_metadata']).toEqual({
      kind: 'inline',
      must_understand: false,
      metadata: { a: group(), 'a/x': array },
    });
  });
});
