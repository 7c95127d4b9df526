/** The functions of file-stores.ts where there are no files, as in browsers: each is an error. */
import { UnsupportedError } from '../errors.js';
import type * as node from './file-stores.js';

export const createFilesystemStore: typeof node.createFilesystemStore = () => refuse('a folder');
export const openPath: typeof node.openPath = () => refuse('a path');
export const pathFromFileUrl: typeof node.pathFromFileUrl = () => refuse('a file: address');
export const openS3: typeof node.openS3 = () => refuse('an s3: address');

function refuse(what: string): never {
  throw new UnsupportedError(
    `${what} can be opened on Node only; in a browser use the http: or https: address of the store`,
  );
}
