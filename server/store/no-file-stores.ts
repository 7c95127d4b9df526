/** Replaces file-stores.ts on platforms without files, such as browsers: every function throws. */
import { UnsupportedError } from '../core/errors.js';
import type * as node from './file-stores.js';

export const createFilesystemStore: typeof node.createFilesystemStore = () => refuse('a folder');
export const openPath: typeof node.openPath = () => refuse('a path');
export const pathFromFileUrl: typeof node.pathFromFileUrl = () => refuse('a file: address');
export const openRepository: typeof node.openRepository = () => refuse('an Icechunk repository');
export const openReferences: typeof node.openReferences = () => refuse('a set of references');
export const openGcs: typeof node.openGcs = () => refuse('a gs: URL');
export const openAzure: typeof node.openAzure = () => refuse('an az: URL');
export const openS3: typeof node.openS3 = () => refuse('an s3: URL');

function refuse(location: string): never {
  throw new UnsupportedError(
    `${location} requires Node; in a browser, use the http: or https: URL of the store`,
  );
}
