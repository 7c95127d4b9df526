/** The contents of a legend other than its colours. Pure. */
import { InputError } from '../../zarr/index.js';
import { type Painting, paintingForm } from '../paint/painting.js';
import { captionOf, categoriesOf, type PictureSubject } from '../subject.js';
import type { LegendSubject } from './draw-legend.js';
import { legendStops } from './stops.js';

export type LegendPainting = LegendSubject['painting'];

export function legendSubjectOf(subject: PictureSubject, painting: LegendPainting): LegendSubject {
  const { dtype } = subject.slice;
  const labels =
    painting.kind === 'categories'
      ? legendStops(painting, dtype, categoriesOf(subject)).map(({ label = '' }) => label)
      : [];
  return { painting, dtype, ...captionOf(subject), labels };
}

/** Parses a painting from JSON. @throws InputError */
export function parseLegendPainting(json: unknown): LegendPainting {
  const parsed = paintingForm.safeParse(json);
  if (parsed.success && hasLegend(parsed.data)) return parsed.data;
  throw new InputError('invalid description of a legend', { cause: parsed.error });
}

/** RGB pictures have no legend. */
export function hasLegend(painting: Painting): painting is LegendPainting {
  return painting.kind !== 'rgb';
}
