/** Axes of OME-NGFF images, in all versions. */
import type { JsonValue } from '../../zarr/index.js';
import { textAttribute } from '../attributes.js';
import { broken, inside, type JsonLocation, listOf, objectOf, textOf } from './checks.js';
import { type ImageAxis, MAX_AXES } from './model.js';

/** The axis names of versions 0.1 to 0.3, with their types. */
const types: Readonly<Record<string, string>> = {
  t: 'time',
  c: 'channel',
  z: 'space',
  y: 'space',
  x: 'space',
};

/**
 * Images of 0.1 and 0.2 always have the same five dimensions.
 * @returns undefined for versions that list axes, and without a version
 */
export function axesOfVersion(version: string | undefined): readonly ImageAxis[] | undefined {
  return version !== undefined && /^0\.[12](?!\d)/.test(version)
    ? ['t', 'c', 'z', 'y', 'x'].map(namedAxis)
    : undefined;
}

/** @param location location of the object with the member `axes` */
export function axesOf(json: JsonValue | undefined, location: JsonLocation): ImageAxis[] {
  const at = inside(location, '.axes');
  const list = listOf(json, at);
  if (list.length > MAX_AXES) throw broken(at, `a list of at most ${MAX_AXES}`);
  return list.map((axis, i) => parseAxis(axis, inside(at, `[${i}]`)));
}

function parseAxis(json: JsonValue, location: JsonLocation): ImageAxis {
  // 0.3 lists names only.
  if (typeof json === 'string') return namedAxis(json);
  const axis = objectOf(json, location);
  const name = textOf(axis['name'], inside(location, '.name'));
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

/** Parses the coordinate systems of version 0.6. */
export function coordinateSystemsOf(json: JsonValue | undefined, location: JsonLocation): CoordinateSystem[] {
  const list = listOf(json, location);
  if (list.length > MAX_SYSTEMS) throw broken(location, `a list of at most ${MAX_SYSTEMS}`);
  const systems = list.map((item, i) => {
    const at = inside(location, `[${i}]`);
    const system = objectOf(item, at);
    return { name: textOf(system['name'], inside(at, '.name')), axes: axesOf(system['axes'], at) };
  });
  if (new Set(systems.map(({ name }) => name)).size < systems.length)
    throw broken(location, 'a list of systems with unique names');
  return systems;
}
