/** Replaces process-identity.ts on platforms without processes that share a store, such as browsers. */
import type * as node from './process-identity.js';

const own = { machine: 'browser', process: '0' };

export const thisProcess: typeof node.thisProcess = () => own;

export const isDead: typeof node.isDead = () => undefined;
