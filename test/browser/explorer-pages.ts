/** Pages of the explorer in a browser that can access only the gateway. */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { serveStores } from '../cli/running.js';

export const samples = join(import.meta.dirname, '../../examples/data');

export interface Visit {
  readonly page: Page;
  /** URLs of other origins that the page requested. These requests are blocked. */
  readonly outside: string[];
  /** Errors of the page and in its console, including violations of its security policy. */
  readonly complaints: string[];
}

export async function visit(
  browser: Browser | undefined,
  address: string,
  viewport = { width: 1280, height: 900 },
  colorScheme: 'light' | 'dark' = 'light',
): Promise<Visit> {
  if (browser === undefined) throw new Error('no browser is available');
  const context = await browser.newContext({ viewport, locale: 'en-GB', colorScheme });
  const page = await context.newPage();
  const [outside, complaints]: [string[], string[]] = [[], []];
  const { origin } = new URL(address);
  await page.route(
    (url) => url.origin !== origin && !['data:', 'blob:'].includes(url.protocol),
    async (route) => {
      outside.push(route.request().url());
      await route.abort();
    },
  );
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(address);
  return { page, outside, complaints };
}

export function serveSamples(...more: string[]) {
  return serveStores([
    '--store',
    `coads=${samples}/coads.zarr`,
    '--store',
    `etopo20=${samples}/etopo20_sharded.zarr`,
    ...more,
  ]);
}

export function rootOf(address: string): string {
  return new URL('/', address).href;
}

/** The value displayed by the page, and its row and column. */
export async function valueOf(
  page: Page,
  which: 'pointed' | 'marked' = 'marked',
): Promise<{ readonly text: string; readonly row: number; readonly column: number }> {
  const output = page.getByTestId(which);
  await expect.poll(async () => output.textContent(), { timeout: 15_000 }).toMatch(/^(-?\d|missing)/);
  const [row = Number.NaN, column = Number.NaN] = ((await output.getAttribute('data-position')) ?? '')
    .split(',')
    .map(Number);
  return { text: (await output.textContent()) ?? '', row, column };
}
