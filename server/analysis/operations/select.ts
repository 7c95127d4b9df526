/** Selects a part of a slice. Stored as positions, which remain valid while the array keeps its shape. */
import * as z from 'zod';
import type { SelectionOrLabels } from '../../dataset/labels/label-selection.js';
import { kindOfLabels, labelIndexAlong } from '../../dataset/labels/labels-along.js';
import { resolveLabels } from '../../dataset/labels/resolve-labels.js';
import type { DimSelection, Selection } from '../../zarr/index.js';
import { positionsWhere } from '../expression/conditions.js';
import type { Operation } from './operation.js';

const position = z.int();

const wrap = z.strictObject({ from: z.number(), period: z.number().positive() }).exactOptional();

export const dimForm: z.ZodType<DimSelection> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('index'), index: position, wrap }),
  z.strictObject({
    kind: z.literal('slice'),
    start: position.exactOptional(),
    stop: position.exactOptional(),
    step: position.exactOptional(),
    wrap,
  }),
  z.strictObject({ kind: z.literal('indices'), indices: z.array(position), wrap }),
  z.strictObject({ kind: z.literal('mask'), mask: z.array(z.boolean()) }),
  z.strictObject({ kind: z.literal('chunk'), chunk: position }),
]);

const selectionForm: z.ZodType<Selection> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  z.strictObject({
    kind: z.literal('dims'),
    dims: z.array(z.union([dimForm, z.strictObject({ kind: z.literal('ellipsis') })])),
  }),
  z.strictObject({
    kind: z.literal('named'),
    named: z.array(z.strictObject({ dim: z.string(), by: dimForm })),
  }),
  z.strictObject({ kind: z.literal('points'), points: z.array(z.array(position)) }),
]);

export const selectOperation: Operation<{ readonly select: Selection }, Selection, SelectionOrLabels> = {
  form: selectionForm,
  resolve: async (selection, slice, scope) => ({
    select: await resolveLabels(
      selection,
      slice.dims,
      {
        index: (d) => labelIndexAlong(slice, d, scope),
        kind: (d) => kindOfLabels(slice, d, scope.dataset),
        where: (d, condition) => positionsWhere(slice, d, condition, scope),
      },
      (positions) => scope.coordinates.chargeLookUps(positions),
    ),
  }),
  apply: (slice, selection) => slice.select(selection),
};

/** A field of a struct, by its name. */
export const fieldOperation: Operation<{ readonly field: string }, string> = {
  form: z.string(),
  resolve: async (name) => ({ field: name }),
  apply: (slice, name) => slice.field(name),
};
