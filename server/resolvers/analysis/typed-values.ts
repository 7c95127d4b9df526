import { NDArrayValue } from '../../transport/nd-array-value.js';
import { numpyTypestr, UnsupportedError } from '../../zarr/index.js';
import type { TypedValuesResolvers } from '../generated/types.js';
import { base64Of } from '../slices/base64.js';

export const typedValuesResolvers: TypedValuesResolvers = {
  dtype: ({ type }) => type,
  shape: async (model, _, context) => (await model.read(context)).shape,
  async values(model, { nonFinite }, context) {
    return new NDArrayValue(await model.read(context), nonFinite);
  },
  async base64(model, { compression }, context) {
    const { type, where } = model;
    const name = numpyTypestr(type.dtype);
    if (name === undefined)
      throw new UnsupportedError(
        `values of type ${type.name} have no representation as plain bytes; request "values" instead`,
        { where },
      );
    return base64Of(await model.read(context), name, compression);
  },
};
