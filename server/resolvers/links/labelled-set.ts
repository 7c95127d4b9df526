/** Slices of a request with their coordinates, for files and stores that other tools read. */
import { decodedLabels } from '../../dataset/slice-coordinate.js';
import { visibleAttributes, withoutNames } from '../../dataset/attributes.js';
import { isVariable } from '../../dataset/variable.js';
import { keepsUnits, keepsValues } from '../../pictures/subject.js';
import { dimensionsOf, type LabelledSet, type LabelledVariable } from '../../transport/labelled-set.js';
import { InputError, type JsonObject } from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type { SliceModel } from '../models.js';
import { subjectOf } from '../pictures/picture.js';
import { coordinatesOf } from '../slices/slice-coordinate.js';
import { datasetOfSlice } from '../slices/slice-model.js';

/** A slice, and its name among others. */
export interface NamedModel {
  readonly name: string;
  readonly model: SliceModel;
}

/** The name of a variable from one slice: that of its array, or `values` for an expression. */
export function nameOfModel({ source }: SliceModel): string {
  const name = source.compute === undefined ? source.path.split('/').at(-1) : undefined;
  return name === undefined || name === '' ? 'values' : name;
}

/**
 * Reads at most what determines the decoding of coordinates.
 * @param shown names of the coordinates to include; undefined for all
 * @throws InputError if a dimension has two sizes; errors from the coordinates
 */
export async function labelledSetOf(
  models: readonly NamedModel[],
  shown: ReadonlySet<string> | undefined,
  context: GatewayContext,
): Promise<LabelledSet> {
  const variables: LabelledVariable[] = [];
  const coordinates = new Map<string, LabelledVariable>();
  const names = new Set(models.map(({ name }) => name));
  let attributes: JsonObject = {};
  for (const { name, model } of models) {
    const dimensions = dimensionNames(model);
    variables.push({ name, slice: model.slice, dimensions, attributes: await attributesOf(model, context) });
    for (const coordinate of await coordinatesOf(model, context)) {
      if (names.has(coordinate.name) || coordinates.has(coordinate.name)) continue;
      if (shown !== undefined && !shown.has(coordinate.name)) continue;
      const labels = await coordinate.labels(context.datasets.coordinates);
      if (labels === undefined) continue;
      coordinates.set(coordinate.name, {
        name: coordinate.name,
        slice: decodedLabels(labels),
        dimensions: coordinate.axes.flatMap((axis) => dimensions[axis] ?? []),
        attributes: coordinate.attributes,
      });
    }
    attributes = (await datasetOfSlice(model, context))?.cut.dataset.attributes ?? attributes;
  }
  const set = { variables, coordinates: [...coordinates.values()], attributes };
  if (dimensionsOf(set) === undefined)
    throw new InputError(
      'the variables have dimensions of the same name with different sizes; request them separately',
    );
  return set;
}

/** Names of the dimensions. Those without a name, or with one that is used before, are `dim_N`. */
function dimensionNames({ slice }: SliceModel): readonly string[] {
  const used = new Set<string>();
  return slice.shape.map((_, d) => {
    const own = slice.dims[d]?.name ?? undefined;
    const name = own === undefined || used.has(own) ? `dim_${d}` : own;
    used.add(name);
    return name;
  });
}

const ofValues = (name: string): boolean => /^(flag_|valid_|actual_range$)/.test(name);

/** The attributes of the variable that still apply to the values. */
async function attributesOf(model: SliceModel, context: GatewayContext): Promise<JsonObject> {
  const { source, slice } = model;
  if (source.compute !== undefined) return { long_name: source.compute };
  const subject = subjectOf(model);
  const isSelected = subject.steps.every((step) => 'select' in step);
  const [input] = slice.inputs;
  // Attributes of packed values describe how tools decode them.
  if (source.decode === undefined && isSelected && input !== undefined)
    return visibleAttributes(input.array.meta.attributes);
  const dataset = (await datasetOfSlice(model, context))?.cut.dataset;
  const variable = dataset?.variables.get(nameOfModel(model));
  const all = isVariable(variable) && source.decode !== undefined ? variable.attributes : {};
  if (!keepsUnits(subject)) return withoutNames(all, (name) => name !== 'long_name');
  return keepsValues(subject) ? all : withoutNames(all, ofValues);
}
