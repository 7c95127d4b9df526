/** Keeps values where a condition is true. */
import * as z from 'zod';
import { valuesWhere } from '../expression/conditions.js';
import { MAX_EXPRESSION_BYTES } from '../expression/tokens.js';
import { declareOperation } from './declared.js';

export const whereOperation = declareOperation({
  about: 'Keeps the values where a condition is true; all others become missing, and the shape stays.',
  details:
    'The condition is an expression of variables of the dataset, as in `Dataset.compute`, such as a mask: `where(condition: "land == 1")`. It may vary along some of the dimensions, and has the positions of the slice; dimensions that operations created are aligned by labels. Integers and booleans become float64, floats keep their type.',
  form: z.strictObject({
    condition: z
      .string()
      .min(1)
      .max(MAX_EXPRESSION_BYTES)
      .describe('The condition. Missing values are true, as in NumPy; comparisons with them are false.'),
  }),
  result: 'mean',
  step: (where) => ({ where }),
  apply: (slice, { condition }, scope) => valuesWhere(slice, condition, scope),
});
