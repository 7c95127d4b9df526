/**
 * Pyramids of the zarr-conventions extension "multiscales", which GeoZarr uses: an object with a `layout`.
 * Each level states its position relative to the level it was derived from. This module converts all
 * positions to the coordinates of the first level of the chain.
 */
import { type JsonObject, type JsonValue, MetadataError } from '../../zarr/index.js';
import { textAttribute } from '../attributes.js';
import { type AxisMappings, compose, identity, placementOf } from './axis-mappings.js';
import { assertFewLevels, broken, inside, type JsonLocation, listOf, numbersOf, objectOf } from './checks.js';
import { type ImageAxis, levelPath, MAX_AXES, type Multiscale } from './model.js';

interface LayoutLevel {
  readonly asset: string;
  readonly location: JsonLocation;
  readonly path: string;
  /** The level that this level is derived from, if any. */
  readonly from: string | undefined;
  /** The position that the metadata states, if any. */
  readonly own: AxisMappings | undefined;
}

/** @param attributes attributes of the group, which may name the axes */
export function parseLayout(
  json: JsonObject,
  attributes: JsonObject,
  group: string,
  version: string | undefined,
): Multiscale {
  const location = { at: 'multiscales', by: `zarr-conventions ${version ?? 'without a version'}` };
  const list = listOf(json['layout'], inside(location, '.layout'));
  assertFewLevels(list.length);
  const levels = list.map((item, i) => parseLevel(item, inside(location, `.layout[${i}]`), group));
  const names = spatialNames(attributes);
  const rank = rankOf(levels) ?? names?.length ?? 0;
  const mappings = resolveChains(levels, rank);
  return {
    convention: 'ZARR_LAYOUT',
    name: undefined,
    version,
    type: textAttribute(json, 'resampling_method'),
    axes: names?.length === rank ? names.map(spatialAxis) : [],
    levels: levels.map((level) => ({
      path: level.path,
      ...placementOf(mappings.get(level.asset) ?? identity(rank), level.location),
    })),
  };
}

function parseLevel(json: JsonValue, location: JsonLocation, group: string): LayoutLevel {
  const level = objectOf(json, location);
  const { asset, derived_from: source, transform } = level;
  if (typeof asset !== 'string') {
    const keys = Object.keys(level).slice(0, 5).map((key) => JSON.stringify(key.slice(0, 40))).join(', '); // prettier-ignore
    throw broken(
      inside(location, '.asset'),
      `text; the level has ${keys === '' ? 'no keys' : `the keys ${keys}`}`,
    );
  }
  if (source !== undefined && typeof source !== 'string')
    throw broken(inside(location, '.derived_from'), 'text');
  // Some writers declare the first level as derived from itself.
  const from = source === asset ? undefined : source;
  if (from !== undefined && transform === undefined)
    throw broken(inside(location, '.transform'), 'an object');
  const own = transform === undefined ? undefined : parseTransform(transform, inside(location, '.transform'));
  if (source === asset && own?.some(({ scale, shift }) => scale !== 1 || shift !== 0) === true)
    throw broken(inside(location, '.derived_from'), 'another level: its transform is not the identity');
  return { asset, location, from, own, path: levelPath(group, asset, inside(location, '.asset')) };
}

/** @returns undefined if the transform is empty */
function parseTransform(json: JsonValue, location: JsonLocation): AxisMappings | undefined {
  const { scale, translation } = objectOf(json, location);
  const scales = scale === undefined ? undefined : numbersOf(scale, inside(location, '.scale'));
  const rank = scales?.length;
  const shifts =
    translation === undefined ? undefined : numbersOf(translation, inside(location, '.translation'), rank);
  const count = rank ?? shifts?.length;
  if (count === undefined) return undefined;
  if (count > MAX_AXES) throw broken(location, `of at most ${MAX_AXES} axes`);
  return identity(count).map(({ axis }) => {
    return { axis, scale: scales?.[axis] ?? 1, shift: shifts?.[axis] ?? 0 };
  });
}

/** @throws MetadataError if levels differ */
function rankOf(levels: readonly LayoutLevel[]): number | undefined {
  let rank: number | undefined;
  for (const { own, location } of levels) {
    rank ??= own?.length;
    if (own !== undefined && own.length !== rank)
      throw broken(inside(location, '.transform'), `with ${rank} axes, like the other levels`);
  }
  return rank;
}

/**
 * The position of each level relative to the start of its chain.
 * @throws MetadataError for a cycle, a repeated asset, or an unknown level
 */
function resolveChains(levels: readonly LayoutLevel[], rank: number): Map<string, AxisMappings> {
  const byAsset = new Map<string, LayoutLevel>();
  for (const level of levels) {
    if (byAsset.has(level.asset))
      throw new MetadataError(
        `multiscales.layout contains the asset "${level.asset.slice(0, 100)}" more than once`,
      );
    byAsset.set(level.asset, level);
  }
  const resolved = new Map<string, AxisMappings>();
  for (const level of levels) {
    const chain: LayoutLevel[] = [];
    const seen = new Set<string>();
    for (let at: LayoutLevel | undefined = level; at !== undefined && !resolved.has(at.asset);) {
      if (seen.has(at.asset))
        throw broken(inside(at.location, '.derived_from'), 'a level that is not derived from this one');
      seen.add(at.asset);
      chain.push(at);
      if (at.from === undefined) break;
      const next = byAsset.get(at.from);
      if (next === undefined)
        throw broken(inside(at.location, '.derived_from'), 'the asset of another level');
      at = next;
    }
    for (const derived of chain.toReversed()) {
      const source = derived.from === undefined ? undefined : resolved.get(derived.from);
      const own = derived.own ?? identity(rank);
      resolved.set(derived.asset, source === undefined ? own : compose(own, source));
    }
  }
  return resolved;
}

/** The names of dimensions by the convention "spatial:". */
function spatialNames(attributes: JsonObject): string[] | undefined {
  const names = attributes['spatial:dimensions'];
  if (!Array.isArray(names) || names.length > MAX_AXES) return undefined;
  const list: readonly JsonValue[] = names;
  const texts = list.flatMap((name) => (typeof name === 'string' ? [name] : []));
  return texts.length === list.length ? texts : undefined;
}

function spatialAxis(name: string): ImageAxis {
  return { name, type: 'space', unit: undefined };
}
