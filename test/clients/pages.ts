/** Runs the code of docs/clients as modules, with a gateway in this process. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, vi } from 'vitest';
import { fullAccess, type Gateway } from '../../server/index.js';
import { codeBlocks, readText, root } from '../docs/format-samples.js';

const address = 'http://127.0.0.1:4000/graphql';

/** The page's code blocks in a language, in order. */
export function blocksOf(page: string, info: string): string[] {
  const blocks = codeBlocks(readText(`docs/clients/${page}`)).filter((block) => block.info === info);
  return blocks.map(({ code }) => code);
}

/** A folder below test/clients, so that its packages are found; removed after the test. */
export function workFolder(files: Readonly<Record<string, string>>): string {
  const cache = join(import.meta.dirname, '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'page-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Runs GraphQL Code Generator in a folder with its configuration. */
export async function generate(folder: string, ...args: string[]): Promise<void> {
  const program = join(root, 'node_modules/@graphql-codegen/cli/esm/bin.js');
  await promisify(execFile)(process.execPath, [program, ...args, '--silent'], { cwd: folder });
}

/** Exports of the only TypeScript block of a page. */
export async function importPage(page: string): Promise<Record<string, unknown>> {
  const [code = ''] = blocksOf(page, 'ts');
  const module: unknown = await import(join(workFolder({ 'page.ts': code }), 'page.ts'));
  return { ...Object(module) };
}

export interface Requests {
  count: number;
}

/** Redirects requests to the documented URL to the gateway until the test ends. */
export function serve(gateway: Gateway): Requests {
  const requests = { count: 0 };
  const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation(async (target, init) => {
    requests.count += 1;
    const request = new Request(target, init);
    expect(request.url).toBe(address);
    return gateway.fetch(request, fullAccess);
  });
  onTestFinished(() => fetching.mockRestore());
  return requests;
}

/** A warning that React prints once per process. */
const expected = /react-test-renderer is deprecated/;

/** Fails the test if anything else is written to the console. */
export function expectSilence(): void {
  const spies = [vi.spyOn(console, 'warn').mockReturnValue(), vi.spyOn(console, 'error').mockReturnValue()];
  onTestFinished(() => {
    const written = spies.flatMap(({ mock }) => mock.calls);
    for (const spy of spies) spy.mockRestore();
    expect(written.filter(([text]) => !expected.test(String(text)))).toEqual([]);
  });
}
