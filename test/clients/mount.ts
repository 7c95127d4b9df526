/** React without a browser. */
import type { ReactElement } from 'react';
import { act, create, type ReactTestRenderer } from 'react-test-renderer';
import { onTestFinished } from 'vitest';

/** Mounts a component and unmounts it when the test ends. */
export async function mount(element: ReactElement): Promise<ReactTestRenderer> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const trees: ReactTestRenderer[] = [];
  await act(async () => {
    trees.push(create(element));
  });
  const [tree] = trees;
  if (tree === undefined) throw new TypeError('nothing was rendered');
  onTestFinished(() => act(async () => tree.unmount()));
  return tree;
}

/** Polls a condition every 20 ms, at most a thousand times. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !holds(); turn++)
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
}

const array = (fields: string) => `{ store(name: "coads") { array(path: "SST") { ${fields} } } }`;
const dataset = (fields: string) => `{ store(name: "coads") { dataset { ${fields} } } }`;

/** Pairs of queries that select different fields of the same objects, with and without ids. */
export const conflictingQueries: readonly (readonly [string, string])[] = [
  [dataset('variables { name }'), dataset('variables { units }')],
  [dataset('id variables { id name }'), dataset('id variables { id units }')],
  [dataset('id variables { id name }'), dataset('variables { name units }')],
  [dataset('dimensions { name }'), dataset('dimensions { size coordinate { name } }')],
  [array('id dtype { name }'), array('id dtype { kind }')],
  [array('dimensions { name }'), array('dimensions { size }')],
  [array('slice(select: { text: "0, 40" }) { shape }'), array('slice(select: { text: "0, 40" }) { size }')],
  [
    '{ slices(requests: [{ store: "coads", path: "/SST" }]) { shape } }',
    '{ slices(requests: [{ store: "coads", path: "/SST" }]) { size dimensions { name } } }',
  ],
  [
    '{ store(name: "coads") { search(first: 3) { nodes { name } } } }',
    '{ store(name: "coads") { search(first: 3) { edges { cursor node { path } } } } }',
  ],
  ['{ stores { nodes { name } } }', '{ stores { nodes { kind } } }'],
];
