/**
 * Images in OME-NGFF 0.1 to 0.6, and pyramids of ndpyramid, which uses the form of 0.1 without a
 * declaration. Versions differ in how axes are described: not at all before 0.3, by names in 0.3, by
 * objects from 0.4, by coordinate systems in 0.6.
 */
import { isJsonObject, type JsonObject, type JsonValue, UnsupportedError } from '../../zarr/index.js';
import { textAttribute } from '../attributes.js';
import { assertFewLevels, broken, inside, type JsonLocation, listOf, objectOf } from './checks.js';
import { type ImageAxis, type ImageLevel, levelPath, type Multiscale } from './model.js';
import { compose, placementOf } from './axis-mappings.js';
import { MAX_TRANSFORMATIONS, parseTransformations, type TransformationBudget } from './transformations.js';
import { axesOf, axesOfVersion, type CoordinateSystem, coordinateSystemsOf } from './ome-axes.js';

/** A list of images and its location. */
export interface OmeList {
  readonly json: JsonValue;
  /** "multiscales" or "ome.multiscales". */
  readonly at: string;
  /** Version of all images, from 0.5. */
  readonly version: JsonValue | undefined;
}

/** @param group path of the group in the store */
export function parseOme({ json, at, version }: OmeList, group: string): Multiscale[] {
  const list = listOf(json, { at, by: 'OME-NGFF' });
  const images = list.map((image, i) => objectOf(image, { at: `${at}[${i}]`, by: 'OME-NGFF' }));
  // Each image without levels counts as one level, to limit the number of images.
  const levels = images.map(({ datasets }) => (Array.isArray(datasets) ? datasets.length : 0));
  assertFewLevels(levels.reduce((sum, count) => sum + Math.max(1, count), 0));
  const budget = { left: MAX_TRANSFORMATIONS };
  return images.map((image, i) => parseImage(image, `${at}[${i}]`, group, version, budget));
}

function parseImage(
  json: JsonObject,
  at: string,
  group: string,
  groupVersion: JsonValue | undefined,
  budget: TransformationBudget,
): Multiscale {
  const version = versionOf(json['version'] ?? groupVersion, at);
  const location = { at, by: `OME-NGFF ${version ?? 'without a version'}` };
  const datasets = listOf(json['datasets'], inside(location, '.datasets')).map((item, i) =>
    objectOf(item, inside(location, `.datasets[${i}]`)),
  );
  const image: ImageParts = { json, datasets, location, group, budget };
  const common = { name: textAttribute(json, 'name'), version, type: textAttribute(json, 'type') };
  if (json['coordinateSystems'] !== undefined)
    return { convention: 'OME_NGFF', ...common, ...intrinsicLevels(image) };
  const axes = json['axes'] === undefined ? axesOfVersion(version) : axesOf(json['axes'], location);
  if (axes !== undefined)
    return { convention: 'OME_NGFF', ...common, axes, levels: locatedLevels(image, axes) };
  const hasTransformations = [json, ...datasets].some(
    (object) => object['coordinateTransformations'] !== undefined,
  );
  if (version !== undefined || hasTransformations) throw broken(inside(location, '.axes'), 'a list');
  const levels = datasets.map((dataset, i) => ({
    path: pathOf(image, dataset, i),
    scale: [],
    translation: [],
  }));
  const convention = isOfNdpyramid(json, datasets) ? 'NDPYRAMID' : 'OME_NGFF';
  return { convention, ...common, axes: [], levels };
}

interface ImageParts {
  readonly json: JsonObject;
  readonly datasets: readonly JsonObject[];
  readonly location: JsonLocation;
  readonly group: string;
  readonly budget: TransformationBudget;
}

/**
 * Computes the levels of versions up to 0.5: the transformation of a level is applied first, then that of the
 * image.
 */
function locatedLevels(image: ImageParts, axes: readonly ImageAxis[]): ImageLevel[] {
  const { json, datasets, location, budget } = image;
  const options = { rank: axes.length, budget, isSimple: true };
  const at = '.coordinateTransformations';
  const all = parseTransformations(
    withoutOtherSystems(json['coordinateTransformations']),
    inside(location, at),
    options,
  );
  return datasets.map((level, i) => {
    const where = inside(location, `.datasets[${i}]${at}`);
    const own = parseTransformations(level['coordinateTransformations'], where, options);
    return { path: pathOf(image, level, i), ...placementOf(compose(own, all), where) };
  });
}

/**
 * Removes transformations to named coordinate systems. SpatialData writes one per system, as alternatives;
 * they do not change the intrinsic coordinates of the image.
 */
function withoutOtherSystems(json: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(json)) return json;
  const list: readonly JsonValue[] = json;
  return list.filter((item) => !isJsonObject(item) || item['output'] === undefined);
}

/**
 * Computes the levels of version 0.6, in which all levels share the intrinsic coordinate system.
 * Transformations to other coordinate systems are not applied.
 */
function intrinsicLevels(image: ImageParts): Pick<Multiscale, 'axes' | 'levels'> {
  const { json, datasets, location, budget } = image;
  const systems = coordinateSystemsOf(json['coordinateSystems'], inside(location, '.coordinateSystems'));
  let intrinsic = datasets.length === 0 ? systems[0] : undefined;
  const levels = datasets.map((level, i): ImageLevel => {
    const where = inside(location, `.datasets[${i}].coordinateTransformations`);
    const [transformation, ...others] = listOf(level['coordinateTransformations'], where);
    if (transformation === undefined || others.length > 0)
      throw broken(where, 'a list of one transformation');
    const system = outputOf(
      objectOf(transformation, inside(where, '[0]')),
      systems,
      inside(where, '[0].output'),
    );
    intrinsic ??= system;
    if (system !== intrinsic)
      throw broken(inside(where, '[0].output'), 'the coordinate system of all other levels');
    const mapping = parseTransformations([transformation], where, { rank: system.axes.length, budget });
    return { path: pathOf(image, level, i), ...placementOf(mapping, where) };
  });
  return { axes: intrinsic?.axes ?? [], levels };
}

/**
 * Finds a coordinate system by name (drafts of 0.6 have only the name). Without a name, returns the only
 * system.
 */
function outputOf(
  { output }: JsonObject,
  systems: readonly CoordinateSystem[],
  location: JsonLocation,
): CoordinateSystem {
  const name = isJsonObject(output) ? output['name'] : output;
  const [only, ...others] = systems;
  const system =
    name === undefined && others.length === 0 ? only : systems.find((other) => other.name === name);
  if (system === undefined) throw broken(location, 'the name of one of the coordinate systems');
  return system;
}

function pathOf({ group, location }: ImageParts, level: JsonObject, i: number): string {
  return levelPath(group, level['path'], inside(location, `.datasets[${i}].path`));
}

/** @throws UnsupportedError for an unknown version */
function versionOf(json: JsonValue | undefined, at: string): string | undefined {
  if (json === undefined || json === null) return undefined;
  const version = typeof json === 'string' ? json : JSON.stringify(Number(json));
  if (/^0\.[1-6](?!\d)/.test(version)) return version;
  throw new UnsupportedError(
    `${at} has version ${JSON.stringify(version.slice(0, 40))}; supported versions of OME-NGFF are 0.1 to 0.6`,
  );
}

/**
 * Recognises ndpyramid by its notes on tiles and projections of levels, and the functions that created them.
 */
function isOfNdpyramid({ metadata }: JsonObject, datasets: readonly JsonObject[]): boolean {
  const method = isJsonObject(metadata) ? textAttribute(metadata, 'method') : undefined;
  return (
    method?.startsWith('pyramid_') === true ||
    datasets.some((level) => level['pixels_per_tile'] !== undefined || level['crs'] !== undefined)
  );
}
