/** An array's documents with another shape, in its own format. */
import { isJsonObject } from '../bytes/json.js';
import { keepFloats } from '../bytes/whole-floats.js';
import { InputError } from '../errors.js';
import { readShape } from './fields.js';
import type { ArrayMeta, Documents } from './model.js';

/** The document that says what an array is. */
export function arrayDocumentOf({ zarrFormat }: ArrayMeta): 'zarr.json' | '.zarray' | 'meta' {
  return zarrFormat === 3 ? 'zarr.json' : zarrFormat === 2 ? '.zarray' : 'meta';
}

/**
 * Only the document that changes; everything else in it stays as it was.
 * @throws InputError where the shape is of another rank or no shape
 */
export function resizedDocuments(meta: ArrayMeta, shape: readonly number[]): Documents {
  if (shape.length !== meta.shape.length)
    throw new InputError(`the new shape has ${shape.length} dimensions, the array has ${meta.shape.length}`);
  if (shape.some((length) => !Number.isSafeInteger(length) || length < 0))
    throw new InputError(`the new shape is [${shape.join(', ')}]; lengths must be integers of 0 or more`);
  const key = arrayDocumentOf(meta);
  const document = meta.documents[key];
  const before = isJsonObject(document) ? document : {};
  return { [key]: keepFloats({ ...before, shape: readShape(shape) }, before) };
}
