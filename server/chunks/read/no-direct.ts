/** The functions of direct-read.ts for platforms without file access in threads, such as browsers. */
import { UnsupportedError } from '../../core/errors.js';
import type * as node from './direct-read.js';

export const canReadDirectly: typeof node.canReadDirectly = false;

export const createDirectRead: typeof node.createDirectRead = () => {
  throw new UnsupportedError('direct reads require Node');
};

export class BoxThreads {
  reduce(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}
