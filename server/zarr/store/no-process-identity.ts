/** The functions of process-identity.ts where there are no processes that share a store, as in browsers. */
import type * as node from './process-identity.js';

const own = { machine: 'browser', process: '0' };

export const thisProcess: typeof node.thisProcess = () => own;

export const isDead: typeof node.isDead = () => undefined;
