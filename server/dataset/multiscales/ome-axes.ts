/** Axes of OME-NGFF images, in all versions. */
import type { JsonValue } from '../../zarr/index.js';
import { textAttribute } from '../attributes.js';
import { broken, inside, listOf, objectOf, type Place, textOf } from './json.js';
import { type ImageAxis, MAX_AXES } from './model.js';

/** The axis names in versions 0.1 to 0.3. */
const types: Readonly<Record<string, string>> = {
  t: 'time',
  c: 'channel',
  z: 'space',
  y: 'space',
  x: 'space',
};

/**
 * Images of 0.1 and 0.2 always have the same five dimensions.
 * @returns undefined for versions that list axes
 */
export function axesOfVersion(version: string | undefined): readonly ImageAxis[] | undefined {
  return version !== undefined && /^0\.[12](?!\d)/.test(version)
    ? ['t', 'c', 'z', 'y', 'x'].map(namedAxis)
    : undefined;
}

/** @param place location of the object with the member `axes` */
export function axesOf(json: JsonValue | undefined, place: Place): ImageAxis[] {
  const at = inside(place, '.axes');
  const list = listOf(json, at);
  if (list.length > MAX_AXES) throw broken(at, `a list of at most ${MAX_AXES}`);
  return list.map((axis, i) => parseAxis(axis, inside(at, `[${i}]`)));
}

function parseAxis(json: JsonValue, place: Place): ImageAxis {
  // 0.3 lists names only.
  if (typeof json === 'string') return namedAxis(json);
  const axis = objectOf(json, place);
  const name = textOf(axis['name'], inside(place, '.name'));
  return { name, type: textAttribute(axis, 'type'), unit: textAttribute(axis, 'unit') };
}

function namedAxis(name: string): ImageAxis {
  return { name, type: Object.hasOwn(types, name) ? types[name] : undefined, unit: undefined };
}

export interface CoordinateSystem {
  readonly name: string;
  readonly axes: readonly ImageAxis[];
}

const MAX_SYSTEMS = 100;

/** For version 0.6. */
export function coordinateSystemsOf(json: JsonValue | undefined, place: Place): CoordinateSystem[] {
  const list = listOf(json, place);
  if (list.length > MAX_SYSTEMS) throw broken(place, `a list of at most ${MAX_SYSTEMS}`);
  const systems = list.map((one, i) => {
    const at = inside(place, `[${i}]`);
    const system = objectOf(one, at);
    return { name: textOf(system['name'], inside(at, '.name')), axes: axesOf(system['axes'], at) };
  });
  if (new Set(systems.map(({ name }) => name)).size < systems.length)
    throw broken(place, 'a list of systems with unique names');
  return systems;
}
