/** The exports of direct-read.ts for platforms without file access, such as browsers. The classes are never used. */
import type * as node from './direct-read.js';

export const canReadDirectly: typeof node.canReadDirectly = false;
export class DirectRead {}
export class BoxThreads {}
export const isSameRead: typeof node.isSameRead = () => false;
