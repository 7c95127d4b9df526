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

/** Polls a condition every 20 ms, at most a hundred times. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 100 && !holds(); turn++)
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
}
