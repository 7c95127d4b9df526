/** A field of a struct, by its name. */
import { z } from 'zod';
import type { Operation } from './operation.js';

export const fieldOperation: Operation<{ readonly field: string }, string> = {
  form: z.string(),
  resolve: async (name) => ({ field: name }),
  apply: (slice, name) => slice.field(name),
};
