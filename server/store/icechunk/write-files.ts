/** Writes the files of a repository for its library. */
import { ConflictError, MetadataError } from '../../core/errors.js';
import { get } from '../define-reading.js';
import { isKey } from '../keys.js';
import type { KeyStore } from '../store.js';
import type { StorageReply, StorageWrite } from './protocol.js';

/** @throws store errors */
export async function writeFile(objects: KeyStore, call: StorageWrite): Promise<StorageReply> {
  const path = call.name === 'put' ? call.path : call.to;
  if (!isKey(path)) throw new MetadataError('the name of a branch or tag is an invalid path');
  try {
    if (call.name === 'put') {
      const { version } = await objects.set(path, call.bytes, call.condition);
      return { kind: 'written', version };
    }
    const source = await get(objects, call.from, { fresh: true });
    if (source === undefined) return { kind: 'absent' };
    if (call.version !== undefined && source.version !== call.version) return { kind: 'changed' };
    const { version } = await objects.set(path, source.bytes);
    return { kind: 'written', version };
  } catch (error) {
    if (error instanceof ConflictError) return { kind: 'changed' };
    throw error;
  }
}
