import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { visibleText } from '../../../server/zarr/documents/visible-text.js';

function textOf(
  text: string,
  name: 'zarr.json' | '.zmetadata',
  prefix: string,
  canRead: (path: string) => boolean,
): string {
  const pieces = [...visibleText(Buffer.from(text), name, prefix, canRead)].filter(
    (piece) => piece !== undefined,
  );
  return Buffer.concat(pieces).toString('utf8');
}

const array = { zarr_format: 3, node_type: 'array' };

function group(metadata?: object): object {
  const plain = { zarr_format: 3, node_type: 'group' };
  return metadata === undefined
    ? plain
    : {
        ...plain,
        consolidated_metadata: { kind: 'inline', must_understand: false, metadata },
        attributes: {},
      };
}

test('hidden members are removed, and everything else stays byte for byte', () => {
  const text =
    '{ "node_type":"group", "consolidated_metadata": {"kind":"inline","metadata": { "a" : {"x":1.0e0} , "b/c":{"node_type":"array"}, "d": {"y": NaN} }},"z": 1 }\n';
  expect(textOf(text, 'zarr.json', 'top', (path) => path !== '/top/b/c')).toBe(
    '{ "node_type":"group", "consolidated_metadata": {"kind":"inline","metadata": {"a" : {"x":1.0e0},"d": {"y": NaN}}},"z": 1 }\n',
  );
  expect(JSON.parse(textOf(text, 'zarr.json', 'top', () => false)).consolidated_metadata.metadata).toEqual(
    {},
  );
});

test('keys of .zmetadata name documents of nodes, and of the group itself', () => {
  const metadata = { '.zgroup': { zarr_format: 2 }, 'a/.zarray': {}, 'a/.zattrs': {}, 'ab/.zarray': {} };
  const text = JSON.stringify({ zarr_consolidated_format: 1, metadata });
  const shown = textOf(text, '.zmetadata', '', (path) => path === '/' || path === '/a');
  expect(Object.keys(JSON.parse(shown).metadata)).toEqual(['.zgroup', 'a/.zarray', 'a/.zattrs']);
});

describe('what could name hidden nodes in another way', () => {
  test('consolidated metadata of an unknown kind becomes null', () => {
    const text = JSON.stringify({
      ...group(),
      consolidated_metadata: { kind: 'x', must_understand: false, secret: 1 },
    });
    expect(JSON.parse(textOf(text, 'zarr.json', '', () => true)).consolidated_metadata).toBeNull();
  });

  test('ambiguous keys are removed', () => {
    const text = JSON.stringify(
      group({ '/s': array, 's/': array, 'a//s': array, 'a/../s': array, a: array }),
    );
    const shown = JSON.parse(textOf(text, 'zarr.json', '', (path) => path !== '/s'));
    expect(Object.keys(shown.consolidated_metadata.metadata)).toEqual(['a']);
  });

  test('invalid documents are errors, not passed on', () => {
    expect(() => textOf('{"consolidated_metadata": {', 'zarr.json', '', () => true)).toThrow(
      /JSON|zarr\.json/,
    );
    expect(() =>
      textOf('{"metadata": 1, "zarr_consolidated_format": 2}', '.zmetadata', '', () => true),
    ).toThrow(/zarr_consolidated_format/);
    expect(() => textOf('{"record_size": 1, "metadata": {}}', '.zmetadata', '', () => true)).toThrow(
      /kerchunk/,
    );
  });
});

interface Tree {
  readonly [name: string]: Tree | null;
}

/** Nested groups, each with consolidated metadata of all nodes below it, as zarr-python 3.0 wrote them. */
const trees: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.dictionary(
    fc.constantFrom('a', 'b', 'é"', 'ab'),
    fc.oneof({ depthSize: 'small', maxDepth: 3 }, fc.constant(null), tie('tree')),
    { maxKeys: 3 },
  ),
})).tree;

function documentOf(tree: Tree | null, path: string, canRead: (path: string) => boolean): object {
  if (tree === null) return array;
  const members: Record<string, object> = {};
  const visit = (below: Tree, base: string): void => {
    for (const [name, node] of Object.entries(below)) {
      const relative = base === '' ? name : `${base}/${name}`;
      const full = path === '' ? relative : `${path}/${relative}`;
      if (canRead(`/${full}`)) members[relative] = documentOf(node, full, canRead);
      if (node !== null) visit(node, relative);
    }
  };
  visit(tree, '');
  return group(members);
}

test('equals a document of the visible nodes, for random nested groups and rights', () => {
  fc.assert(
    fc.property(trees, fc.func(fc.boolean()), fc.constantFrom('', 'top'), (tree, canRead, prefix) => {
      const text = JSON.stringify(
        documentOf(tree, prefix, () => true),
        null,
        1,
      );
      expect(JSON.parse(textOf(text, 'zarr.json', prefix, canRead))).toEqual(
        documentOf(tree, prefix, canRead),
      );
    }),
    { numRuns: 300 },
  );
});
