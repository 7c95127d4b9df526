/**
 * Pyramids of earlier GeoZarr: an object with an OGC `tile_matrix_set`, whose matrices have the names of the
 * groups of the levels. It describes map tiles, not dimensions of arrays, so levels have no scale.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../zarr/index.js';
import { textAttribute } from '../attributes.js';
import { assertFewLevels, broken, inside, type JsonLocation, listOf, objectOf, textOf } from './checks.js';
import { levelPath, type Multiscale } from './model.js';

const location: JsonLocation = { at: 'multiscales', by: 'GeoZarr, tile matrix set' };

export function parseTileMatrices(json: JsonObject, group: string): Multiscale {
  const set = json['tile_matrix_set'];
  const ids = storedMatrices(json['tile_matrix_limits']) ?? matricesOf(set);
  if (new Set(ids).size < ids.length) throw broken(location, 'of matrices with unique ids');
  const levels = ids.map((id, i) => {
    return { path: levelPath(group, id, inside(location, `, level ${i}`)), scale: [], translation: [] };
  });
  return {
    convention: 'TILE_MATRIX_SET',
    version: undefined,
    name: isJsonObject(set)
      ? (textAttribute(set, 'title') ?? textAttribute(set, 'id'))
      : textAttribute(json, 'tile_matrix_set'),
    type: textAttribute(json, 'resampling_method'),
    axes: [],
    levels,
  };
}

/** The limits list the matrices with data. */
function storedMatrices(limits: JsonValue | undefined): string[] | undefined {
  if (limits === undefined) return undefined;
  const at = inside(location, '.tile_matrix_limits');
  if (isJsonObject(limits)) return few(Object.keys(limits));
  return few(listOf(limits, at)).map((item, i) => {
    const where = inside(at, `[${i}]`);
    return textOf(objectOf(item, where)['tileMatrix'], inside(where, '.tileMatrix'));
  });
}

function matricesOf(set: JsonValue | undefined): string[] {
  const at = inside(location, '.tile_matrix_set');
  if (!isJsonObject(set)) throw broken(at, 'an object with tileMatrices if there are no tile_matrix_limits');
  return few(listOf(set['tileMatrices'], inside(at, '.tileMatrices'))).map((item, i) => {
    const where = inside(at, `.tileMatrices[${i}]`);
    return textOf(objectOf(item, where)['id'], inside(where, '.id'));
  });
}

function few<T>(list: readonly T[]): T[] {
  assertFewLevels(list.length);
  return [...list];
}
