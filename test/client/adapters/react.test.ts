/** The hooks, with slices that the test resolves. */
import { createElement, StrictMode, type ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { act } from 'react-test-renderer';
import { create } from 'react-test-renderer';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useLine, useSlice, useStatistics } from '../../../client/adapters/react.js';
import { lazySlice } from '../../../client/analysis/index.js';
import { createClient, type Client } from '../../../client/index.js';
import { mount } from '../../clients/mount.js';

interface Call {
  readonly options: { readonly signal?: AbortSignal | undefined; readonly width?: number };
  resolve(value: string): void;
  reject(error: Error): void;
}

/** A slice whose requests are pending until the test settles them. */
function fake() {
  const calls: Call[] = [];
  const request = (options: Call['options'] = {}) =>
    new Promise<never>((resolve, reject) =>
      calls.push({ options, resolve: (value) => resolve(value as never), reject }),
    );
  return { calls, read: request, line: request, statistics: request };
}

const seen: unknown[] = [];
const last = () => seen.at(-1);

function Values({ slice }: { slice: { read(): Promise<unknown> } | undefined }) {
  seen.push(useSlice(slice));
  return null;
}

beforeEach(() => {
  seen.length = 0;
  vi.spyOn(console, 'error').mockImplementation((text: unknown) => {
    if (!String(text).includes('react-test-renderer is deprecated')) throw new Error(String(text));
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('keeps the last data while the next loads and after an error; aborts replaced requests', async () => {
  const [a, b, c] = [fake(), fake(), fake()];
  const tree = await mount(createElement(Values, { slice: a }));
  expect(last()).toEqual({ data: undefined, error: undefined, isLoading: true });
  await act(async () => a.calls[0]?.resolve('a'));
  expect(last()).toEqual({ data: 'a', error: undefined, isLoading: false });
  await act(async () => tree.update(createElement(Values, { slice: b })));
  expect(last()).toEqual({ data: 'a', error: undefined, isLoading: true });
  await act(async () => tree.update(createElement(Values, { slice: c })));
  expect(b.calls[0]?.options.signal?.aborted).toBe(true);
  await act(async () => b.calls[0]?.resolve('late'));
  const error = new Error('c failed');
  await act(async () => c.calls[0]?.reject(error));
  expect(last()).toEqual({ data: 'a', error, isLoading: false });
  await act(async () => tree.update(createElement(Values, { slice: undefined })));
  expect(last()).toEqual({ data: undefined, error: undefined, isLoading: false });
  await act(async () => tree.update(createElement(Values, { slice: a })));
  expect(last()).toMatchObject({ data: undefined, isLoading: true });
  await act(async () => tree.unmount());
  expect(a.calls[1]?.options.signal?.aborted).toBe(true);
});

test('in StrictMode, the last request determines the result', async () => {
  const slice = fake();
  await mount(createElement(StrictMode, null, createElement(Values, { slice })));
  const open = slice.calls.filter(({ options }) => options.signal?.aborted === false);
  expect(open).toHaveLength(1);
  await act(async () => open[0]?.resolve('a'));
  expect(last()).toMatchObject({ data: 'a', isLoading: false });
});

test('slices and options that are created during rendering are compared by value', async () => {
  const fetch = vi.fn<() => Promise<Response>>(() => new Promise(() => undefined));
  const client = createClient({ url: 'http://localhost/graphql', fetch, retries: 0 });
  function Inline({ from, y }: { from: Client; y: number }) {
    const slice = lazySlice(from.store('s').array('a'), { y }).mean('x');
    seen.push(useStatistics(slice, { quantiles: [0.5] }), useLine(slice, { width: 5, to: new Date(0) }));
    return null;
  }
  const show = (from: Client, y: number) => createElement(Inline, { from, y });
  const settle = () => act(() => new Promise((resolve) => setImmediate(resolve)));
  const tree = await mount(show(client, 0));
  await settle();
  const first = fetch.mock.calls.length;
  expect(first).toBe(1); // Both requests share one document.
  await act(async () => tree.update(show(client, 0)));
  await settle();
  expect(fetch).toHaveBeenCalledTimes(first);
  await act(async () => tree.update(show(client, 1)));
  await settle();
  expect(fetch.mock.calls.length).toBe(first + 1);
  const other = createClient({ url: 'http://localhost/other', fetch, retries: 0 });
  await act(async () => tree.update(show(other, 1)));
  await settle();
  expect(fetch.mock.calls.length).toBe(first + 2);
});

test('a line has the width of its element, after a debounce', async () => {
  let report = (_width: number): void => undefined;
  const disconnect = vi.fn<() => void>();
  class Observer {
    observe = vi.fn<() => void>();
    disconnect = disconnect;
    constructor(callback: (entries: unknown[]) => void) {
      report = (width) => callback([{ contentRect: { width } }]);
    }
  }
  vi.stubGlobal('ResizeObserver', Observer);
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  const slice = fake();
  function Chart() {
    const { ref, ...line } = useLine(slice);
    seen.push(line);
    return createElement('div', { ref });
  }
  let unmount = (): void => undefined;
  await act(async () => {
    const tree = create(createElement(Chart) as ReactElement, { createNodeMock: () => ({}) });
    unmount = () => tree.unmount();
  });

  const widths = () => slice.calls.map(({ options }) => options.width);
  expect(last()).toMatchObject({ isLoading: true });
  await act(async () => report(0));
  expect(widths()).toEqual([]);
  await act(async () => report(300.4));
  expect(widths()).toEqual([300]);
  await act(async () => [310, 320, 330].forEach(report));
  expect(widths()).toEqual([300]);
  await act(async () => {
    vi.advanceTimersByTime(100);
  });
  expect(widths()).toEqual([300, 330]);
  await act(async () => unmount());
  expect(disconnect).toHaveBeenCalled();
  expect(slice.calls.map(({ options }) => options.signal?.aborted)).toEqual([true, true]);
});

test('sends nothing on a server', () => {
  const slice = fake();
  function Page() {
    return createElement('p', null, String(useLine(slice, { width: 10 }).isLoading));
  }
  expect(renderToString(createElement(Page))).toBe('<p>true</p>');
  expect(slice.calls).toEqual([]);
});
