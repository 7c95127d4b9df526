/**
 * Coordinate transformations of OME-NGFF. Up to 0.5 these are scale and translation; 0.6 has many more.
 * Transformations equivalent to a scale and a shift for each axis are supported. All others are rejected,
 * and the error names the type.
 */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LimitError,
  UnsupportedError,
} from '../../zarr/index.js';
import { broken, inside, type JsonLocation, listOf, numbersOf, objectOf } from './checks.js';
import { type AxisMappings, compose, identity, scaling, shifting } from './axis-mappings.js';

/** Number of transformations in a group that may still be parsed. */
export interface TransformationBudget {
  left: number;
}

/** Maximum number of transformations in a group, including nested ones. Real images have two per level. */
export const MAX_TRANSFORMATIONS = 10_000;
/** Maximum nesting of transformations. */
const MAX_DEPTH = 8;

export interface TransformationOptions {
  readonly rank: number;
  readonly budget: TransformationBudget;
  /** Whether to allow only scale, translation and identity, as before version 0.6. */
  readonly isSimple?: boolean;
  /** Nesting depth of this transformation. */
  readonly depth?: number;
}

/** Parses a list of transformations, applied in order. @throws errors from `parseTransformation` */
export function parseTransformations(
  json: JsonValue | undefined,
  location: JsonLocation,
  options: TransformationOptions,
): AxisMappings {
  if (json === undefined) return identity(options.rank);
  return listOf(json, location).reduce<AxisMappings>((before, item, i) => {
    const at = inside(location, `[${i}]`);
    return compose(before, parseTransformation(objectOf(item, at), at, options));
  }, identity(options.rank));
}

/**
 * @throws MetadataError; UnsupportedError unless the transformation scales and shifts each axis; LimitError
 * for too many transformations
 */
function parseTransformation(
  json: JsonObject,
  location: JsonLocation,
  options: TransformationOptions,
): AxisMappings {
  const { rank, budget, isSimple = false, depth = 0 } = options;
  if (--budget.left < 0 || depth > MAX_DEPTH)
    throw new LimitError(
      `${location.at} has too many transformations: at most ${MAX_TRANSFORMATIONS} per group and ${MAX_DEPTH} levels of nesting are supported`,
    );
  const { type } = json;
  const within = { ...options, depth: depth + 1 };
  if (type === 'identity') return identity(rank);
  if (type === 'scale') return scaling(inlineNumbers(json, 'scale', location, rank));
  if (type === 'translation') return shifting(inlineNumbers(json, 'translation', location, rank));
  if (isSimple) throw broken(inside(location, '.type'), '"scale", "translation" or "identity"');
  if (type === 'sequence')
    return parseTransformations(json['transformations'], inside(location, '.transformations'), within);
  if (type === 'bijection') {
    const at = inside(location, '.forward');
    return parseTransformation(objectOf(json['forward'], at), at, within);
  }
  if (type === 'mapAxis') return permutation(json['mapAxis'], inside(location, '.mapAxis'), rank);
  if (type === 'affine' || type === 'rotation') return parseMatrix(json, type, location, rank);
  if (type === 'byDimension') return parseByDimension(json, location, within);
  if (typeof type !== 'string') throw broken(inside(location, '.type'), 'text');
  throw unsupported(location, type, 'only transformations that scale and shift each axis are supported');
}

/** Reads the numbers of a transformation. Numbers in a separate array, named by `path`, are not supported. */
function inlineNumbers(json: JsonObject, type: string, location: JsonLocation, rank: number): number[] {
  if (json[type] === undefined && json['path'] !== undefined)
    throw unsupported(location, type, 'its numbers are in an array of the store, which is not supported');
  return numbersOf(json[type], inside(location, `.${type}`), rank);
}

function permutation(json: JsonValue | undefined, location: JsonLocation, rank: number): AxisMappings {
  const axes = numbersOf(json, location, rank);
  if (new Set(axes).size !== rank || !axes.every((axis) => isAxis(axis, rank)))
    throw broken(location, `a permutation of the axes 0 to ${rank - 1}`);
  return axes.map((axis) => ({ axis, scale: 1, shift: 0 }));
}

function isAxis(axis: number, rank: number): boolean {
  return Number.isInteger(axis) && axis >= 0 && axis < rank;
}

/** A matrix whose rows each have exactly one nonzero number, apart from the shift. */
function parseMatrix(
  json: JsonObject,
  type: 'affine' | 'rotation',
  location: JsonLocation,
  rank: number,
): AxisMappings {
  if (json[type] === undefined && json['path'] !== undefined)
    throw unsupported(location, type, 'its numbers are in an array of the store, which is not supported');
  const at = inside(location, `.${type}`);
  const rows = listOf(json[type], at);
  if (rows.length !== rank) throw broken(at, `a list of ${rank} rows`);
  return rows.map((row, i) => {
    const columns = rank + (type === 'affine' ? 1 : 0);
    const numbers = numbersOf(row, inside(at, `[${i}]`));
    if (numbers.length !== columns) throw broken(inside(at, `[${i}]`), `a list of ${columns} numbers`);
    const used = numbers.flatMap((number, axis) => (axis < rank && number !== 0 ? [axis] : []));
    const [axis = 0] = used;
    if (used.length !== 1) throw unsupported(location, type, 'it mixes axes');
    return { axis, scale: numbers[axis] ?? 1, shift: numbers[rank] ?? 0 };
  });
}

function parseByDimension(
  json: JsonObject,
  location: JsonLocation,
  options: TransformationOptions,
): AxisMappings {
  const { rank } = options;
  const outputs = new Map<number, AxisMappings[number]>();
  const parts = listOf(json['transformations'], inside(location, '.transformations'));
  for (const [i, item] of parts.entries()) {
    const at = inside(location, `.transformations[${i}]`);
    const part = objectOf(item, at);
    const inputs = axesOf(part['inputAxes'], inside(at, '.inputAxes'), rank);
    const outs = axesOf(part['outputAxes'], inside(at, '.outputAxes'), rank);
    const transformation = isJsonObject(part['transformation']) ? part['transformation'] : undefined;
    if (transformation === undefined) throw broken(inside(at, '.transformation'), 'an object');
    if (inputs.length !== outs.length)
      throw unsupported(location, 'byDimension', 'it changes the number of axes');
    const inner = inside(at, '.transformation');
    const mapping = parseTransformation(transformation, inner, { ...options, rank: outs.length });
    for (const [d, output] of outs.entries()) {
      const placed = mapping[d];
      if (outputs.has(output))
        throw broken(inside(at, '.outputAxes'), `axes that no other part has; axis ${output} is repeated`);
      if (placed !== undefined) outputs.set(output, { ...placed, axis: inputs[placed.axis] ?? placed.axis });
    }
  }
  const all = identity(rank).flatMap(({ axis }) => outputs.get(axis) ?? []);
  if (all.length !== rank) throw broken(inside(location, '.transformations'), 'of parts that cover all axes');
  return all;
}

function axesOf(json: JsonValue | undefined, location: JsonLocation, rank: number): number[] {
  const axes = numbersOf(json, location);
  if (axes.length > rank || !axes.every((axis) => isAxis(axis, rank)))
    throw broken(location, `a list of axes, 0 to ${rank - 1}`);
  return axes;
}

function unsupported({ at, by }: JsonLocation, type: string, why: string): UnsupportedError {
  return new UnsupportedError(
    `${at} is a transformation of type ${JSON.stringify(type.slice(0, 40))}: ${why} (${by})`,
  );
}
