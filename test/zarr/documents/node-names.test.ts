import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NodeNames } from '../../../server/zarr/documents/node-names.js';
import { compareCodePoints } from '../../../server/store/keys.js';

const part = fc.constantFrom('a', 'b', 'a-b', 'a.b', 'é', '𝒳', '\uffee');
const prefix = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));

test('is a sorted list of nodes, as from a list that is filtered', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('set', 'delete'), prefix), { maxLength: 40 }),
      fc.option(prefix, { nil: '' }),
      fc.option(prefix, { nil: undefined }),
      fc.array(prefix, { maxLength: 2 }),
      (changes, top, after, hidden) => {
        const names = new NodeNames();
        const model = new Set<string>();
        for (const [change, path] of changes) {
          if (change === 'set') {
            names.set(path, 'array');
            model.add(path);
          } else {
            names.delete(path);
            for (const one of model) if (one === path || one.startsWith(`${path}/`)) model.delete(one);
          }
        }
        const isHidden = (path: string): boolean =>
          hidden.some((closed) => path === closed || path.startsWith(`${closed}/`));
        const expected = [...model]
          .filter((path) => top === '' || path === top || path.startsWith(`${top}/`))
          .filter((path) => after === undefined || compareCodePoints(path, after) > 0)
          .filter((path) => !isHidden(path))
          .toSorted(compareCodePoints);
        const found = [...names.within(top, '', after, (path) => !isHidden(path))];
        expect(found.flatMap((node) => (node === undefined ? [] : [node.prefix]))).toEqual(expected);
        expect(names.size).toBe(model.size);
      },
    ),
    { numRuns: 500 },
  );
});
