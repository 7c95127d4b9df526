/** The labels of the smallest or largest values. */
import * as z from 'zod';
import { isFloatName } from '../../../wire/data-types.js';
import { maskedName } from '../../../wire/result-types.js';
import { decodeInSteps } from '../../dataset/decode/decode-cooperatively.js';
import { heldLabelBytes, heldLabels } from '../../dataset/labels/held-labels.js';
import { labelsAlong } from '../../dataset/labels/labels-along.js';
import { type DataType, guardSlice, inTurns, isRealName, isTime, numberType, positionOfDim, reduceSlice, SelectionError, takeSlice } from '../../zarr/index.js'; // prettier-ignore
import { choice, declareOperation, dimension } from './declared.js';

export const labelOfOperation = declareOperation({
  about: 'The label of the smallest or largest value along a dimension, such as the date of a maximum.',
  details:
    'As `idxmin` and `idxmax` in xarray; the data type is that of the coordinate. Missing values are skipped; if all values are missing, so is the label. Therefore, integer labels of floats become floats.',
  form: z.strictObject({
    dim: dimension,
    extreme: choice('Extreme', 'Which value the label is of.', {
      MIN: 'The smallest value; of equal ones, the first.',
      MAX: 'The largest value; of equal ones, the first.',
    }),
  }),
  result: 'unknown',
  step: (labelOf) => ({ labelOf }),
  async apply(slice, { dim, extreme }, scope) {
    const axis = positionOfDim(dim, slice.dims);
    const labels = await labelsAlong(slice, axis, undefined, scope, 'inAnyOrder');
    const mayBeMissing = isFloatName(slice.dtype.name) || isTime(slice.dtype);
    const size = labels.keys.size;
    if (size === 0 && !mayBeMissing)
      throw new SelectionError(`the dimension "${dim}" is empty and has no labels`);
    // The label of positions without values is last.
    const count = mayBeMissing ? size + 1 : size;
    const dtype = typeOf(labels.dtype, mayBeMissing);
    await scope.coordinates.reserve(count * (heldLabelBytes(dtype) + heldLabelBytes(labels.dtype)));
    const made = await heldLabels(labels, count, (i) => labels.keys.at(i), dtype);
    const by = extreme === 'MIN' ? 'ARGMIN' : 'ARGMAX';
    const positions = reduceSlice(slice, { by, over: [String(axis)] });
    const list = await inTurns(decodeInSteps(made.decoding, made.stored));
    return guardSlice(takeSlice(positions, list), labels.known);
  },
});

/** A type of the labels that has a missing value. */
function typeOf(dtype: DataType, mayBeMissing: boolean): DataType {
  if (!mayBeMissing) return dtype;
  const name = maskedName(dtype.name);
  if (isRealName(name)) return numberType(name);
  return isTime(dtype) ? dtype : { name: 'string', itemSize: null };
}
