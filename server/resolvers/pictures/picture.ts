/**
 * The fields `Slice.image`, `Picture` and `Legend`. They create links and may read the range of the values;
 * the gateway draws when a link is requested.
 */
import { statisticsOf } from '../../analysis/statistics.js';
import { choosePainting, needsQuantiles, type RequestedColours } from '../../pictures/choose-painting.js';
import { legendStops, shownRange, hasLegend, legendSubjectOf } from '../../pictures/legend/stops.js';
import type { Painting } from '../../pictures/paint/painting.js';
import { axisAlong, isFlipped, type PictureAxis } from '../../pictures/picture-axis.js';
import { layOutPicture, type PictureLayout } from '../../pictures/picture-layout.js';
import type { ColourMapName } from '../../pictures/palette.js';
import { type PictureStyle, styleOf } from '../../pictures/picture-style.js';
import { captionOf, categoriesOf, type PictureSubject } from '../../pictures/subject.js';
import type { CoarsenMethod } from '../../zarr/index.js';
import { statisticsOfSlice } from '../analysis/statistics.js';
import type { GatewayContext } from '../context.js';
import type {
  ColorMap,
  ColorMapInput,
  InputMaybe,
  LegendResolvers,
  PictureResolvers,
  SliceImageArgs,
} from '../generated/types.js';
import { hrefOfLegend, hrefOfPicture } from '../links/href.js';
import type { SliceModel } from '../models.js';
import type { PictureModel } from './picture-model.js';
import { operationScope, sliceByStep } from '../slices/slice-model.js';

/** Default range of colours as quantiles, if neither the request nor the attributes state a range. */
export const rangeQuantiles = [0.02, 0.98];

/**
 * @throws SelectionError or InputError for values that cannot be drawn; UnsupportedError for types without
 * colours
 */
export async function imageOfSlice(
  model: SliceModel,
  { width, height, range, colorMap, scale, method }: SliceImageArgs,
  context: GatewayContext,
): Promise<PictureModel> {
  const subject = subjectOf(model);
  const layout = layOutPicture(model.slice, { width: width ?? undefined, height: height ?? undefined });
  const colours: RequestedColours = {
    range: range ?? undefined,
    colourMap: colourMapOf(colorMap),
    scale,
    method: method ?? undefined,
  };
  const drawn = await drawnSlice(model, layout, colours.method, context);
  let axes: Promise<readonly [PictureAxis, PictureAxis]> | undefined;
  let painting: Promise<Painting> | undefined;
  return {
    subject,
    model,
    drawn,
    layout,
    colours,
    axes: (scope) => (axes ??= axesOf(model, layout, scope)),
    painting: (scope) =>
      (painting ??= choosePainting(subject, colours, layout.channelAxis, () =>
        statisticsOfSlice(model).quantiles(rangeQuantiles, scope),
      )),
  };
}

const colourMapNames: Readonly<Record<ColorMap, ColourMapName>> = {
  VIRIDIS: 'viridis',
  MAGMA: 'magma',
  INFERNO: 'inferno',
  PLASMA: 'plasma',
  CIVIDIS: 'cividis',
  TURBO: 'turbo',
  GREYS: 'greys',
  RDBU: 'RdBu',
  BATLOW: 'batlow',
  VIK: 'vik',
};

/** Converts the input to the form of pictures, which check it. */
export function colourMapOf(input: InputMaybe<ColorMapInput> | undefined): RequestedColours['colourMap'] {
  if (input === null || input === undefined) return undefined;
  return input.name === undefined ? { stops: input.stops } : { name: colourMapNames[input.name] };
}

/** The values to draw: at most one per pixel. */
async function drawnSlice(
  model: SliceModel,
  { coarsen }: PictureLayout,
  method: CoarsenMethod | undefined,
  context: GatewayContext,
): Promise<SliceModel> {
  if (coarsen === undefined) return model;
  return sliceByStep(model, { coarsen: { ...coarsen, method } }, context);
}

export function subjectOf({ slice, stepped, decodedBy, source }: SliceModel): PictureSubject {
  const [input, ...others] = slice.inputs;
  const own = others.length === 0 ? input?.array.meta.attributes : undefined;
  return {
    slice,
    steps: stepped.steps,
    attributes: decodedBy ?? own,
    name: source.path.split('/').at(-1),
    isDecoded: source.decode !== undefined,
  };
}

/** The horizontal and the vertical axis. */
async function axesOf(
  model: SliceModel,
  { rowAxis, columnAxis }: PictureLayout,
  context: GatewayContext,
): Promise<readonly [PictureAxis, PictureAxis]> {
  const { budget, signal } = context;
  const scope = {
    ...operationScope(model, context),
    read: (slice: SliceModel['slice']) => budget.lookUp(slice, signal),
  };
  return Promise.all([axisAlong(model.slice, columnAxis, scope), axisAlong(model.slice, rowAxis, scope)]);
}

async function pictureStyle(model: PictureModel, context: GatewayContext): Promise<PictureStyle> {
  const [[horizontal, vertical], painting] = await Promise.all([
    model.axes(context),
    model.painting(context),
  ]);
  return styleOf(model.layout, horizontal, vertical, painting);
}

export const pictureResolvers: PictureResolvers = {
  width: ({ layout }) => layout.width,
  height: ({ layout }) => layout.height,
  async href(model, _, context) {
    return hrefOfPicture(model.drawn, await pictureStyle(model, context), context);
  },
  async range(model, _, context) {
    return shownRange(await model.painting(context), model.model.slice.dtype);
  },
  async legend(model, _, context) {
    const painting = await model.painting(context);
    return hasLegend(painting) ? { picture: model, painting } : null;
  },
  async axes(model, _, context) {
    const [horizontal, vertical] = await model.axes(context);
    return [
      edgesOf(horizontal, isFlipped(horizontal, 'columns')),
      edgesOf(vertical, isFlipped(vertical, 'rows')),
    ];
  },
  estimate({ drawn, subject, colours, layout, model }, _, { gateway: { limits } }) {
    const cost = drawn.slice.cost();
    const range = needsQuantiles(subject, colours, layout.channelAxis)
      ? statisticsOf(model.slice, { fields: [], quantiles: [rangeQuantiles], histograms: [] })
      : undefined;
    const reducedBytes = cost.reducedBytes + (range?.cost().reducedBytes ?? 0);
    const work = cost.work + (range?.cost().work ?? 0);
    const exceeded = [...drawn.slice.exceeded(limits), ...(range?.exceeded(limits) ?? [])];
    return { ...cost, reducedBytes, work, allowed: exceeded.length === 0, exceeded };
  },
};

function edgesOf(
  { name, first, last }: PictureAxis,
  flipped: boolean,
): {
  readonly name: string | null;
  readonly from: unknown;
  readonly to: unknown;
} {
  return flipped ? { name, from: last, to: first } : { name, from: first, to: last };
}

export const legendResolvers: LegendResolvers = {
  href: ({ picture: { model, subject }, painting }, _, context) =>
    hrefOfLegend(model, legendSubjectOf(subject, painting), context),
  stops: ({ picture, painting }) =>
    legendStops(painting, picture.model.slice.dtype, categoriesOf(picture.subject)),
  title: ({ picture }) => captionOf(picture.subject).title,
  units: ({ picture }) => captionOf(picture.subject).units,
};
