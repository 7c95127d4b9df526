/** Documents of an array with another shape, in the format of the array. */
import { isJsonObject } from '../bytes/json.js';
import { keepFloats } from '../bytes/whole-floats.js';
import { InputError } from '../errors.js';
import { readShape } from './fields.js';
import type { ArrayMeta, Documents } from './model.js';

/** Name of the document that describes an array. */
export function arrayDocumentOf({ zarrFormat }: ArrayMeta): 'zarr.json' | '.zarray' | 'meta' {
  return zarrFormat === 3 ? 'zarr.json' : zarrFormat === 2 ? '.zarray' : 'meta';
}

/**
 * The changed document; everything except the shape is unchanged.
 * @throws InputError if the shape is invalid or has another rank
 */
export function resizedDocuments(meta: ArrayMeta, shape: readonly number[]): Documents {
  if (shape.length !== meta.shape.length)
    throw new InputError(`the new shape has ${shape.length} dimensions; the array has ${meta.shape.length}`);
  if (shape.some((length) => !Number.isSafeInteger(length) || length < 0))
    throw new InputError(`the new shape is [${shape.join(', ')}]; lengths must be non-negative integers`);
  const key = arrayDocumentOf(meta);
  const document = meta.documents[key];
  const before = isJsonObject(document) ? document : {};
  return { [key]: keepFloats({ ...before, shape: readShape(shape) }, before) };
}
