/** The methods of lines: supported data types, the type of the result, and the kernel. */
import { type DataType, type FixedSizeType, numberType } from '../../core/dtype/data-type.js';
import { InputError, UnsupportedError } from '../../core/errors.js';
import { planeForm } from '../number-planes.js';
import type { LineKernel } from './line-kernel.js';
import { integerMeans, means, timeMeans } from './means.js';
import { extremes, leastAndGreatest } from './extremes.js';

export const lineMethods = ['M4', 'MINMAX', 'MEAN'] as const;
export type LineMethod = (typeof lineMethods)[number];

/**
 * The data type of a line's values. Means of booleans and integers are float64.
 * @throws InputError for an unknown method; UnsupportedError for values without a numeric order
 */
export function lineType(method: LineMethod, dtype: DataType): FixedSizeType {
  if (!lineMethods.includes(method))
    throw new InputError(
      `unknown line method "${String(method)}"; the methods are ${lineMethods.join(', ')}`,
    );
  const form = planeForm(dtype);
  if (form === undefined || form === 'complex' || dtype.itemSize === null)
    throw new UnsupportedError(`lines of type ${dtype.name} are not supported`);
  const keeps = method !== 'MEAN' || dtype.name.startsWith('float') || dtype.name.startsWith('numpy');
  return keeps ? dtype : numberType('float64');
}

export function lineKernelOf(method: LineMethod, dtype: DataType): LineKernel {
  if (method === 'M4') return extremes;
  if (method === 'MINMAX') return leastAndGreatest;
  if (dtype.name.startsWith('numpy')) return timeMeans;
  return planeForm(dtype) === 'words' ? integerMeans : means;
}
