/**
 * Decides for single places whether they are within polygons, by the edges that cross their parallel, with the same rules
 * as `scan-lines.ts`: places on western and southern edges are inside.
 */
import { defined } from '../../../wire/guards.js';
import { firstIndexWhere, LimitError } from '../../zarr/index.js';
import type { Reach } from './extent.js';
import type { Polygons } from './geometry.js';
import { wrappedFrom } from './wrapped-longitudes.js';

/** Parallel bands among which the edges are divided. */
const BANDS = 1024;
/** Maximum number of edges of all bands. */
const MAX_EDGES = 2 ** 22;
/** Maximum number of edges that all places are compared with. */
const MAX_WORK = 2 ** 31;
const STEPS = 4096;
/** Numbers of an edge: its southern and its northern end. */
const EDGE = 4;
/** As in `scan-lines.ts`: cells at the pole are inside polygons that reach it. */
const BELOW_POLE = 90 - 2 ** -46;

/** The edges of a band, polygon by polygon. */
interface Band {
  readonly edges: Float64Array;
  /** Index of the first edge of each polygon with edges in the band, and the end of the last one. */
  readonly starts: Uint32Array;
}

export class EdgeBands {
  readonly #bands: readonly Band[];
  readonly #reach: Reach;
  readonly #east: number;
  readonly #south: number;
  readonly #height: number;
  #work = 0;

  private constructor(
    bands: readonly Band[],
    reach: Reach,
    east: number,
    [south, height]: readonly [number, number],
  ) {
    this.#bands = bands;
    this.#reach = reach;
    this.#east = east;
    this.#south = south;
    this.#height = height;
  }

  /** Yields every few thousand edges. @throws LimitError for too many long edges */
  static *of({ coordinates }: Polygons, reach: Reach): Generator<void, EdgeBands, void> {
    const { latitudes } = reach;
    const [south, north] = [latitudes[0]?.[0] ?? 0, latitudes.at(-1)?.[1] ?? 0];
    const height = Math.max((north - south) / BANDS, Number.MIN_VALUE);
    const lists = Array.from({ length: BANDS }, () => ({ edges: new Array<number>(), starts: new Array<number>(), last: -1 })); // prettier-ignore
    let [count, steps, east] = [0, 0, -Infinity];
    for (const [p, polygon] of coordinates.entries())
      for (const ring of polygon)
        for (let i = 1; i < ring.length; i++) {
          if (++steps % STEPS === 0) yield;
          const [a, b] = [ring[i - 1], ring[i]];
          if (a === undefined || b === undefined) continue;
          east = Math.max(east, a[0]);
          if (a[1] === b[1]) continue;
          const [low, high] = a[1] < b[1] ? [a, b] : [b, a];
          const first = bandOf(low[1], south, height);
          const end = bandOf(high[1], south, height);
          for (let band = first; band <= end; band++) {
            if (++steps % STEPS === 0) yield;
            const list = defined(lists[band]);
            if (list.last !== p) list.starts.push(list.edges.length / EDGE);
            list.last = p;
            list.edges.push(low[0], low[1], high[0], high[1]);
            if (++count > MAX_EDGES) throw tooMany('crosses parallels', MAX_EDGES, count);
          }
        }
    const bands: Band[] = [];
    for (const { edges, starts } of lists) {
      bands.push({
        edges: Float64Array.from(edges),
        starts: Uint32Array.from([...starts, edges.length / EDGE]),
      });
      yield;
    }
    return new EdgeBands(bands, reach, east, [south, height]);
  }

  /** Number of edges that the next call of `contains` compares at most. @throws LimitError if all calls are too many */
  workAt(latitude: number): number {
    const band = this.#bandAt(latitude);
    const work = band === undefined ? 1 : 1 + band.edges.length / EDGE;
    this.#work += work;
    if (this.#work > MAX_WORK) throw tooMany('is compared with cells', MAX_WORK, this.#work);
    return work;
  }

  contains(latitude: number, longitude: number): boolean {
    const band = this.#bandAt(latitude);
    const west = wrappedFrom(this.#reach.west, longitude);
    if (band === undefined || band.edges.length === 0 || Number.isNaN(west)) return false;
    const parallel = latitude === 90 ? BELOW_POLE : latitude;
    const { edges, starts } = band;
    for (let p = 0; p + 1 < starts.length; p++)
      for (let x = west; x < this.#east; x += 360) {
        let isInside = false;
        for (let i = EDGE * defined(starts[p]); i < EDGE * defined(starts[p + 1]); i += EDGE) {
          const [x0, y0, x1, y1] = [defined(edges[i]), defined(edges[i + 1]), defined(edges[i + 2]), defined(edges[i + 3])]; // prettier-ignore
          if (parallel < y0 || parallel >= y1) continue;
          const crossing = x0 + ((parallel - y0) / (y1 - y0)) * (x1 - x0);
          if (crossing <= x) isInside = !isInside;
        }
        if (isInside) return true;
      }
    return false;
  }

  #bandAt(latitude: number): Band | undefined {
    const { latitudes } = this.#reach;
    const after = firstIndexWhere(0, latitudes.length, (i) => (latitudes[i]?.[0] ?? Infinity) > latitude);
    const isReached = after > 0 && latitude <= (latitudes[after - 1]?.[1] ?? -Infinity);
    return isReached ? this.#bands[bandOf(latitude, this.#south, this.#height)] : undefined;
  }
}

function bandOf(latitude: number, south: number, height: number): number {
  return Math.min(BANDS - 1, Math.max(0, Math.floor((latitude - south) / height)));
}

function tooMany(what: string, allowed: number, needed: number): LimitError {
  return new LimitError(`the geometry ${what} too often; simplify it, or select fewer elements`, {
    excess: [{ limit: 'edges', allowed, needed }],
  });
}
