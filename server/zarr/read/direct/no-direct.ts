/** The functions of direct.ts for platforms without file access in threads, such as browsers. */
import { UnsupportedError } from '../../errors.js';
import type * as node from './direct.js';

export const choosesDirect: typeof node.choosesDirect = () => false;

export const createDirectRead: typeof node.createDirectRead = () => {
  throw new UnsupportedError('direct reads require threads, which exist on Node only');
};
