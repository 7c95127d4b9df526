/**
 * Pyramids of the zarr-conventions extension "multiscales", which GeoZarr uses: an object with a `layout`.
 * Each level states its position relative to the level it was derived from. This module converts all
 * positions to the coordinates of the first level of the chain.
 */
import { type JsonObject, type JsonValue, MetadataError } from '../../zarr/index.js';
import { textAttribute } from '../attributes.js';
import { assertFewLevels, broken, inside, listOf, numbersOf, objectOf, type Place } from './json.js';
import { levelPath } from './level-path.js';
import { compose, identity, type Mapping, placementOf } from './mapping.js';
import { type ImageAxis, MAX_AXES, type Multiscale } from './model.js';

interface LayoutLevel {
  readonly asset: string;
  readonly place: Place;
  readonly path: string;
  /** Undefined for a level that is not derived from another one. */
  readonly from: string | undefined;
  /** Undefined if the metadata does not state it. */
  readonly own: Mapping | undefined;
}

/** @param attributes of the group, for the names of axes */
export function parseLayout(
  json: JsonObject,
  attributes: JsonObject,
  group: string,
  version: string | undefined,
): Multiscale {
  const place = { at: 'multiscales', by: `zarr-conventions ${version ?? 'without a version'}` };
  const list = listOf(json['layout'], inside(place, '.layout'));
  assertFewLevels(list.length);
  const levels = list.map((one, i) => parseLevel(one, inside(place, `.layout[${i}]`), group));
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
      ...placementOf(mappings.get(level.asset) ?? identity(rank), level.place),
    })),
  };
}

function parseLevel(json: JsonValue, place: Place, group: string): LayoutLevel {
  const level = objectOf(json, place);
  const { asset, derived_from: source, transform } = level;
  if (typeof asset !== 'string') {
    const keys = Object.keys(level).slice(0, 5).map((key) => JSON.stringify(key.slice(0, 40))).join(', '); // prettier-ignore
    throw broken(inside(place, '.asset'), `text; the level has the keys ${keys || 'of an empty object'}`);
  }
  if (source !== undefined && typeof source !== 'string')
    throw broken(inside(place, '.derived_from'), 'text');
  // Some writers declare the first level as derived from itself.
  const from = source === asset ? undefined : source;
  if (from !== undefined && transform === undefined) throw broken(inside(place, '.transform'), 'an object');
  const own = transform === undefined ? undefined : parseTransform(transform, inside(place, '.transform'));
  if (source === asset && own?.some(({ scale, shift }) => scale !== 1 || shift !== 0) === true)
    throw broken(inside(place, '.derived_from'), 'another level: its transform is not the identity');
  return { asset, place, from, own, path: levelPath(group, asset, inside(place, '.asset')) };
}

/** @returns undefined if the transform is empty */
function parseTransform(json: JsonValue, place: Place): Mapping | undefined {
  const { scale, translation } = objectOf(json, place);
  const scales = scale === undefined ? undefined : numbersOf(scale, inside(place, '.scale'));
  const rank = scales?.length;
  const shifts =
    translation === undefined ? undefined : numbersOf(translation, inside(place, '.translation'), rank);
  const count = rank ?? shifts?.length;
  if (count === undefined) return undefined;
  if (count > MAX_AXES) throw broken(place, `of at most ${MAX_AXES} axes`);
  return identity(count).map(({ axis }) => ({
    ...{ axis, scale: scales?.[axis] ?? 1, shift: shifts?.[axis] ?? 0 },
  }));
}

/** @throws MetadataError if levels differ */
function rankOf(levels: readonly LayoutLevel[]): number | undefined {
  let rank: number | undefined;
  for (const { own, place } of levels) {
    rank ??= own?.length;
    if (own !== undefined && own.length !== rank)
      throw broken(inside(place, '.transform'), `with ${rank} axes, like the other levels`);
  }
  return rank;
}

/**
 * The position of each level relative to the start of its chain.
 * @throws MetadataError for a cycle, or an unknown level
 */
function resolveChains(levels: readonly LayoutLevel[], rank: number): Map<string, Mapping> {
  const byAsset = new Map(levels.map((level) => [level.asset, level]));
  if (byAsset.size < levels.length) throw new MetadataError('multiscales.layout has a duplicate asset');
  const resolved = new Map<string, Mapping>();
  for (const level of levels) {
    const chain: LayoutLevel[] = [];
    const seen = new Set<string>();
    for (let at: LayoutLevel | undefined = level; at !== undefined && !resolved.has(at.asset);) {
      if (seen.has(at.asset))
        throw broken(inside(at.place, '.derived_from'), 'a level that is not derived from this one');
      seen.add(at.asset);
      chain.push(at);
      if (at.from === undefined) break;
      const next = byAsset.get(at.from);
      if (next === undefined) throw broken(inside(at.place, '.derived_from'), 'the asset of another level');
      at = next;
    }
    for (const one of chain.toReversed()) {
      const source = one.from === undefined ? undefined : resolved.get(one.from);
      const own = one.own ?? identity(rank);
      resolved.set(one.asset, source === undefined ? own : compose(own, source));
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
