/** Whether two data types are equal, so that their bytes are interchangeable. */
import { sameShape } from '../bytes/shape.js';
import type { DataType } from './data-type.js';

export function sameType(a: DataType, b: DataType): boolean {
  if (a.name !== b.name || a.itemSize !== b.itemSize) return false;
  if (a.name === 'struct' && b.name === 'struct')
    return (
      a.fields.length === b.fields.length &&
      a.fields.every((field, i) => {
        const other = b.fields[i];
        return (
          other !== undefined &&
          field.name === other.name &&
          field.offset === other.offset &&
          sameShape(field.shape, other.shape) &&
          sameType(field.dtype, other.dtype)
        );
      })
    );
  if ('unit' in a && 'unit' in b) return a.unit === b.unit && a.scale === b.scale;
  if (a.name === 'ragged' && b.name === 'ragged') return sameType(a.item, b.item);
  return a.name !== 'unknown' || b.name !== 'unknown' || a.given === b.given;
}
