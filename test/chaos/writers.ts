/** Writers as child processes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { OpenStoreOptions } from '../../server/zarr/index.js';

/** Number of columns of `/grown`. */
export const width = 3;

/** Rows of one value, never the fill value. Not in changes.ts, because writers start faster without Vitest. */
export function rowsOf(value: number, count: number): number[][] {
  return Array.from({ length: count }, () => new Array<number>(width).fill(value));
}

const program = fileURLToPath(new URL('writer.ts', import.meta.url));

export interface StoreAddress {
  readonly url: string;
  readonly options: OpenStoreOptions;
}

export type Acknowledged =
  | { readonly kind: 'append'; readonly start: number; readonly count: number; readonly value: number }
  | { readonly kind: 'write'; readonly index: number; readonly value: number }
  | { readonly kind: 'attribute'; readonly path: string; readonly value: number }
  | { readonly kind: 'create'; readonly path: string; readonly value: number };

export interface Writer {
  readonly acknowledged: readonly Acknowledged[];
  /** Resolves when the writer is ready to begin. */
  readonly ready: Promise<void>;
  begin(id: number, count: number): void;
  /** Resolves when this number of changes was acknowledged, or the process has ended. */
  after(count: number): Promise<void>;
  /** @returns the exit code; null if it was killed */
  ended(): Promise<number | null>;
  kill(): void;
}

export function startWriter(address: StoreAddress): Writer {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--conditions=zarrql-source', '--import', 'tsx', program],
    { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, CHAOS_STORE: JSON.stringify(address) } },
  );
  const acknowledged: Acknowledged[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  let isReady = (): void => {};
  const ready = new Promise<void>((resolve) => (isReady = resolve));
  const end = once(child, 'close').then(([code]: unknown[]) => (typeof code === 'number' ? code : null));
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'ready') return isReady();
      try {
        acknowledged.push(JSON.parse(line));
      } catch {
        return; // The kill can truncate the last line.
      }
      for (const one of waiting) if (acknowledged.length >= one.count) one.resolve();
    });
  return {
    acknowledged,
    ready,
    begin: (id, count) => void child.stdin?.write(`go ${id} ${count}\n`),
    after: (count) =>
      Promise.race([
        new Promise<void>((resolve) => {
          waiting.push({ count, resolve });
          if (acknowledged.length >= count) resolve();
        }),
        end.then(() => {}),
      ]),
    ended: () => end,
    kill: () => void child.kill('SIGKILL'),
  };
}
