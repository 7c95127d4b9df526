/** The functions of direct.ts for platforms without file access in threads, such as browsers. */
import { UnsupportedError } from '../../errors.js';
import type * as node from './direct.js';

export const chooseDirect: typeof node.chooseDirect = () => undefined;

export const createDirectRead: typeof node.createDirectRead = () => {
  throw new UnsupportedError('direct reads need files, which exist on Node only');
};
