/**
 * Images in several resolutions by the OME-NGFF specification, versions 0.4 (attribute `multiscales`) and 0.5 (the same
 * under `ome`): which arrays are the levels, what their axes are, and where their pixels lie.
 */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LimitError,
  MetadataError,
  type ZarrGroup,
} from '../zarr/index.js';
import { textAttribute } from './attributes.js';

export interface Multiscale {
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** How the smaller levels were made, as the writer says it: "gaussian", "mean". */
  readonly type: string | undefined;
  /** In the order of the arrays' dimensions. */
  readonly axes: readonly ImageAxis[];
  /** The finest first. */
  readonly levels: readonly ImageLevel[];
}

export interface ImageAxis {
  readonly name: string;
  /** "space", "time" or "channel", or what the writer made up. */
  readonly type: string | undefined;
  readonly unit: string | undefined;
}

export interface ImageLevel {
  /** Of its array, in the store. */
  readonly path: string;
  /** One an axis: physical size of a pixel. */
  readonly scale: readonly number[];
  /** One an axis: where the first pixel lies. */
  readonly translation: readonly number[];
}

/** Levels of all images of a group: real ones have about ten. */
const MAX_LEVELS = 1000;
/** The specification has 5 at most. */
const MAX_AXES = 64;

/** @returns none where the group is no image. @throws MetadataError where it is one that breaks the specification; LimitError */
export function parseMultiscales(group: ZarrGroup): Multiscale[] {
  const { attributes } = group.meta;
  const ome = attributes['ome'];
  const holder = isJsonObject(ome) ? ome : attributes;
  const given = holder['multiscales'];
  if (given === undefined) return [];
  const images = listOf(given, 'multiscales').map((image, i) => objectOf(image, `multiscales[${i}]`));
  assertFew(images);
  const version = textAttribute(holder, 'version');
  return images.map((image, i) => parseImage(image, `multiscales[${i}]`, group.path, version));
}

/** Images without levels count too. */
function assertFew(images: readonly JsonObject[]): void {
  const levels = images.map(({ datasets }) => (Array.isArray(datasets) ? datasets.length : 0));
  const needed = levels.reduce((sum, count) => sum + Math.max(1, count), 0);
  if (needed > MAX_LEVELS)
    throw new LimitError(`multiscales has ${needed} levels; at most ${MAX_LEVELS} are listed`, {
      excess: [{ limit: 'levels', allowed: MAX_LEVELS, needed }],
    });
}

function parseImage(image: JsonObject, at: string, path: string, version: string | undefined): Multiscale {
  const axes = listOf(image['axes'], `${at}.axes`).map((axis, i) => parseAxis(axis, `${at}.axes[${i}]`));
  if (axes.length > MAX_AXES) throw broken(`${at}.axes`, `a list of at most ${MAX_AXES}`);
  const all = parseTransformations(image['coordinateTransformations'], at, axes.length);
  const levels = listOf(image['datasets'], `${at}.datasets`).map((json, i): ImageLevel => {
    const where = `${at}.datasets[${i}]`;
    const level = objectOf(json, where);
    const name = level['path'];
    if (typeof name !== 'string') throw broken(`${where}.path`, 'text');
    const own = parseTransformations(level['coordinateTransformations'], where, axes.length);
    return { path: joinPath(path, name), ...finite(compose(own, all), where) };
  });
  return {
    name: textAttribute(image, 'name'),
    version: textAttribute(image, 'version') ?? version,
    type: textAttribute(image, 'type'),
    axes,
    levels,
  };
}

function parseAxis(json: JsonValue, at: string): ImageAxis {
  // Versions before 0.4 had names alone.
  if (typeof json === 'string') return { name: json, type: undefined, unit: undefined };
  const axis = objectOf(json, at);
  const name = textAttribute(axis, 'name');
  if (name === undefined) throw broken(`${at}.name`, 'text');
  return { name, type: textAttribute(axis, 'type'), unit: textAttribute(axis, 'unit') };
}

/** x in pixels is x * scale + translation in units. */
interface Placement {
  readonly scale: readonly number[];
  readonly translation: readonly number[];
}

/** Transformations apply in the order in which they stand. */
function parseTransformations(json: JsonValue | undefined, at: string, rank: number): Placement {
  let placed: Placement = {
    scale: Array.from({ length: rank }, () => 1),
    translation: Array.from({ length: rank }, () => 0),
  };
  if (json === undefined) return placed;
  for (const [i, one] of listOf(json, `${at}.coordinateTransformations`).entries()) {
    const where = `${at}.coordinateTransformations[${i}]`;
    placed = compose(placed, parseTransformation(objectOf(one, where), where, placed, rank));
  }
  return placed;
}

function parseTransformation(json: JsonObject, at: string, none: Placement, rank: number): Placement {
  const { type } = json;
  const still = { scale: none.scale.map(() => 1), translation: none.translation.map(() => 0) };
  if (type === 'identity') return still;
  if (type === 'scale') return { ...still, scale: numbersOf(json['scale'], `${at}.scale`, rank) };
  if (type === 'translation')
    return { ...still, translation: numbersOf(json['translation'], `${at}.translation`, rank) };
  throw broken(`${at}.type`, '"scale" or "translation"');
}

/** First one, then the other. */
function compose(first: Placement, then: Placement): Placement {
  return {
    scale: first.scale.map((scale, d) => scale * (then.scale[d] ?? 1)),
    translation: first.translation.map(
      (shift, d) => shift * (then.scale[d] ?? 1) + (then.translation[d] ?? 0),
    ),
  };
}

/** Each number may be in range, and their product not. */
function finite(placed: Placement, at: string): Placement {
  if ([...placed.scale, ...placed.translation].every(Number.isFinite)) return placed;
  throw broken(`${at}.coordinateTransformations`, 'of numbers that float64 can hold');
}

function numbersOf(json: JsonValue | undefined, at: string, rank: number): number[] {
  const numbers = listOf(json, at).flatMap((one) =>
    typeof one === 'number' || typeof one === 'bigint' ? [Number(one)] : [],
  );
  if (numbers.length !== rank) throw broken(at, `a list of ${rank} numbers, one an axis`);
  return numbers;
}

function listOf(json: JsonValue | undefined, at: string): readonly JsonValue[] {
  if (!Array.isArray(json)) throw broken(at, 'a list');
  const list: readonly JsonValue[] = json;
  return list;
}

function objectOf(json: JsonValue, at: string): JsonObject {
  if (!isJsonObject(json)) throw broken(at, 'an object');
  return json;
}

function broken(at: string, wanted: string): MetadataError {
  return new MetadataError(`${at} must be ${wanted} (OME-NGFF, "multiscales" metadata)`);
}

function joinPath(group: string, name: string): string {
  return group === '/' ? `/${name}` : `${group}/${name}`;
}
