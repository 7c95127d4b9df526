/** Selects the cell that is nearest to a place. */
import * as z from 'zod';
import { findCell } from '../../dataset/near/find-cells.js';
import { type DimSelection, guardSlice, SelectionError } from '../../zarr/index.js';
import { declareOperation } from './declared.js';

const MAX_KILOMETRES = 20_100;

export const nearOperation = declareOperation({
  about: 'The cell that is nearest to a place, along the great circle; its dimensions are dropped.',
  details:
    'For coordinates in degrees_north and degrees_east of one or two dimensions, such as those of ocean models and swaths. Longitudes may use another convention than the data. Cells without coordinates are never nearest. Up to 2,097,152 cells of two-dimensional coordinates are searched.',
  form: z.strictObject({
    latitude: z.number().min(-90).max(90).meta({ description: 'Degrees north.' }),
    longitude: z.number().min(-720).max(720).meta({ description: 'Degrees east.' }),
    tolerance: z
      .number()
      .min(0)
      .max(MAX_KILOMETRES)
      .exactOptional()
      .meta({ description: 'Maximum distance in kilometres; a larger one is `BAD_SELECTION`.' }),
  }),
  result: 'same',
  step: (near) => ({ near }),
  async apply(slice, { latitude, longitude, tolerance }, scope) {
    const cell = await findCell(slice, [latitude, longitude], '"near"', scope);
    if (tolerance !== undefined && !(cell.kilometres <= tolerance))
      throw new SelectionError(
        `no cell within ${tolerance} km of ${latitude}, ${longitude}: the nearest one is at ${cell.latitude}, ${cell.longitude}, in ${cell.kilometres.toFixed(3)} km`,
      );
    const dims = slice.dims.map((_, d): DimSelection => {
      const at = cell.axes.indexOf(d);
      return at < 0 ? { kind: 'slice' } : { kind: 'index', index: cell.positions[at] ?? 0 };
    });
    return guardSlice(slice.select({ kind: 'dims', dims }), cell.known);
  },
});
