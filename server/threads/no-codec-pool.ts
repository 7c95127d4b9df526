/** The functions of codec-pool.ts for platforms without threads, such as browsers, where callers decode. */
import { UnsupportedError } from '../core/errors.js';
import type * as node from './codec-pool.js';

export const hasThreads: boolean = false;

export const createCodecPool: typeof node.createCodecPool = () => {
  throw new UnsupportedError(
    'decoding threads require Node; without a pool, chunks are decoded on the calling thread',
  );
};
