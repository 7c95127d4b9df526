/** Slices of a request with their coordinates, for files and stores that other tools read. */
import { type DescribedSlice, labelSlices, remainingAttributes } from '../../analysis/labelled-set.js';
import { convertedUnits } from '../../analysis/operations/quantity.js';
import { visibleAttributes } from '../../dataset/attributes.js';
import { isVariable } from '../../dataset/variable.js';
import { keepsUnits, keepsValues } from '../../pictures/subject.js';
import type { LabelledSet } from '../../transport/labelled-set.js';
import type { JsonObject } from '../../zarr/index.js';
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
  const slices: DescribedSlice[] = [];
  let attributes: JsonObject = {};
  for (const { name, model } of models) {
    const all = await coordinatesOf(model, context);
    const coordinates = shown === undefined ? all : all.filter((coordinate) => shown.has(coordinate.name));
    slices.push({ name, slice: model.slice, attributes: await attributesOf(model, context), coordinates });
    attributes = (await datasetOfSlice(model, context))?.cut.dataset.attributes ?? attributes;
  }
  return labelSlices(slices, attributes, context.datasets.coordinates);
}

/** The attributes of the variable that still apply to the values. */
async function attributesOf(model: SliceModel, context: GatewayContext): Promise<JsonObject> {
  const { source, slice } = model;
  const subject = subjectOf(model);
  const units = convertedUnits(subject.steps);
  const converted = units === undefined ? {} : { units };
  if (source.compute !== undefined) return { long_name: source.compute, ...converted };
  const isSelected = subject.steps.every((step) => 'select' in step);
  const [input] = slice.inputs;
  // Attributes of packed values describe how tools decode them.
  if (source.decode === undefined && isSelected && input !== undefined)
    return visibleAttributes(input.array.meta.attributes);
  const dataset = (await datasetOfSlice(model, context))?.cut.dataset;
  const variable = dataset?.variables.get(nameOfModel(model));
  const all = isVariable(variable) && source.decode !== undefined ? variable.attributes : {};
  const kept = { keepsUnits: keepsUnits(subject), keepsValues: keepsValues(subject) };
  return { ...remainingAttributes(all, kept), ...converted };
}
