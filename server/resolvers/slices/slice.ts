import { declaredNames } from '../../analysis/operations/table.js';
import { NDArrayValue } from '../../transport/nd-array-value.js';
import { InputError, inTurn } from '../../zarr/index.js';
import { base64Of, numpyName } from './typed-values.js';
import { exactSize } from '../scalars/big-int.js';
import type { GatewayContext } from '../context.js';
import type { SliceModel } from '../models.js';
import type { SliceResolvers } from '../generated/types.js';
import { lineOfSlice } from '../analysis/line.js';
import { statisticsOfSlice } from '../analysis/statistics.js';
import { hrefOf } from '../links/href.js';
import { nameOfModel } from '../links/labelled-set.js';
import { hrefOfSet } from '../links/set-href.js';
import { isSetFormat } from '../../transport/sets/set-forms.js';
import { zarrUrlOfSlices } from '../links/zarr-url.js';
import { imageOfSlice } from '../pictures/picture.js';
import { tilesOfSlice } from '../pictures/tiles.js';
import { coordinatesOf } from './slice-coordinate.js';
import { sliceByDeclared, sliceByInput, sliceByStep, sliceOfSlice } from './slice-model.js';

function declaredResolvers(): SliceResolvers {
  const resolvers: SliceResolvers = {};
  for (const name of declaredNames)
    resolvers[name] = (model: SliceModel, args: object, context: GatewayContext) =>
      sliceByDeclared(model, name, args, context);
  return resolvers;
}

export const sliceResolvers: SliceResolvers = {
  shape: ({ slice }) => slice.shape,
  size: ({ slice }) => exactSize(slice.shape),
  dtype: ({ slice }) => ({ dtype: slice.dtype, name: slice.dtypeName }),
  dimensions: ({ slice }) => slice.dims,
  coordinates: (model, _, context) => coordinatesOf(model, context),
  // A request may have thousands of estimates, which all resolve in one turn of the event loop otherwise.
  estimate: ({ slice }, _, { gateway }) =>
    inTurn(() => {
      const exceeded = slice.exceeded(gateway.limits);
      return { ...slice.cost(), allowed: exceeded.length === 0, exceeded };
    }),
  async values(model, { nonFinite }, context) {
    const block = await model.read(context);
    return context.operationMemory.show(new NDArrayValue(block, nonFinite), block, () => model.forget());
  },
  async base64(model, { compression }, context) {
    const name = numpyName(model.slice);
    const block = await model.read(context);
    const base64 = await base64Of(block, name, compression, context.results.values);
    context.operationMemory.show(base64.data, block, () => model.forget());
    return base64;
  },
  href(model, { format, rows }, context) {
    if (isSetFormat(format))
      return hrefOfSet([{ name: nameOfModel(model), model }], format, { rows }, context);
    if (rows !== undefined && rows !== null)
      throw new InputError('only tables have rows; request the format ARROW');
    return hrefOf(model, format, context);
  },
  zarrUrl: (model, args, context) => zarrUrlOfSlices([{ name: nameOfModel(model), model }], args, context),
  field: (model, { name }, context) => sliceByStep(model, { field: name }, context),
  slice: (model, { select }, context) => sliceOfSlice(model, select, context),
  job: ({ job }) => job,
  reduce: (model, args, context) => sliceByInput(model, { reduce: args }, context),
  group: (model, args, context) => sliceByInput(model, { group: args }, context),
  anomaly: (model, { by }, context) => sliceByInput(model, { anomaly: by }, context),
  rolling: (model, args, context) => sliceByInput(model, { rolling: args }, context),
  coarsen: (model, args, context) => sliceByInput(model, { coarsen: args }, context),
  interpolate: (model, { at }, context) => sliceByInput(model, { interpolate: at }, context),
  within: (model, { geometry }, context) => sliceByInput(model, { within: geometry }, context),
  line: (model, args, context) => lineOfSlice(model, args, context),
  image: (model, args, context) => imageOfSlice(model, args, context),
  tiles: (model, args, context) => tilesOfSlice(model, args, context),
  statistics: (model) => statisticsOfSlice(model),
  ...declaredResolvers(),
};
