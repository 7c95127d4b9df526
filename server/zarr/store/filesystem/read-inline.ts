/**
 * Fast path for small files: reads plain files by blocking calls; `readFileObject` handles everything else.
 * Single elements are read 2 to 3 times as fast as through the thread pool, boxes across chunks 1.5 to 2
 * times (`npm run bench`, Node 20).
 */
import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ReadResult, ReadRequest } from '../store.js';
import { ZarrError } from '../../errors.js';
import { assertVersion } from '../conditions.js';
import { resolveRange } from '../range.js';
import type { RootConfinement } from './root-confinement.js';
import { codeOf } from './failure.js';
import type { OpenFile } from './kept-file.js';
import type { InlineBudget } from './inline-budget.js';
import { absent, allocate, openFlags, versionOf, type ReadMemory } from './read-file.js';

/** Maximum size. For larger parts, the thread pool is faster, even if they are cached. */
const MAX_INLINE_BYTES = 2 ** 20;

/**
 * Returns 'elsewhere' if the file was not read; `readFileObject` then reads it or reports the error. The
 * budget must be open.
 */
export function readInline(
  path: string,
  request: ReadRequest,
  confinement: RootConfinement,
  memory: ReadMemory,
  budget: InlineBudget,
): ReadResult | 'elsewhere' {
  const start = performance.now();
  try {
    return readPlainFile(path, request, confinement, memory, MAX_INLINE_BYTES);
  } catch (error) {
    if (error instanceof ZarrError) throw error;
    return 'elsewhere';
  } finally {
    budget.spend(performance.now() - start);
  }
}

/**
 * Like `readInline`, on a thread that may block.
 * @param maxBytes maximum size; the store reads larger parts
 * @throws errors from the operating system, ZarrError
 */
export function readPlainFile(
  path: string,
  request: ReadRequest,
  confinement: RootConfinement,
  memory: ReadMemory,
  maxBytes: number,
): ReadResult | 'elsewhere' {
  const { kept } = memory;
  const known = kept?.fileAt(path);
  const file = known ?? openPlainFile(path, request, confinement);
  if (typeof file !== 'object') return file === 'absent' ? absent(request) : file;
  try {
    return readOpenFile(file, request, memory, maxBytes);
  } finally {
    if (known === undefined) {
      if (kept === undefined || request.range === undefined) closeSync(file.descriptor);
      else kept.keep(path, file);
    }
  }
}

function openPlainFile(
  path: string,
  request: ReadRequest,
  confinement: RootConfinement,
): OpenFile | 'absent' | 'unchanged' | 'elsewhere' {
  const location = confinement.locateNow(dirname(path));
  if (location === 'absent') return 'absent';
  if (location === 'unknown') return 'elsewhere';
  // Calls `lstat` first, because most documents do not exist and an exception of `openSync` costs several
  // times as much. An object with an expected version exists.
  if (request.ifMatch === undefined) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return 'absent';
    if (found.isFile() && versionOf(found) === request.ifNoneMatch) return 'unchanged';
  }
  try {
    return { descriptor: openSync(path, openFlags), stats: undefined };
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'absent' : 'elsewhere';
  }
}

function readOpenFile(
  file: OpenFile,
  request: ReadRequest,
  memory: ReadMemory,
  maxBytes: number,
): ReadResult | 'elsewhere' {
  const before = file.stats ?? fstatSync(file.descriptor);
  file.stats = undefined;
  if (!before.isFile()) return 'elsewhere';
  const version = versionOf(before);
  if (version === request.ifNoneMatch) return 'unchanged';
  const { offset, length } = resolveRange(request.range, before.size);
  if (length > maxBytes) return 'elsewhere';
  assertVersion(version, request.ifMatch);
  const bytes = allocate(request.range, before.size, memory);
  if (length > 0 && readSync(file.descriptor, bytes, 0, length, offset) !== length) return 'elsewhere';
  const after = fstatSync(file.descriptor);
  if (versionOf(after) !== version) return 'elsewhere';
  file.stats = after;
  return { bytes, total: before.size, version };
}
