/** Converts coast lines to positions of an array with latitudes and longitudes. */
import { positionOf } from '../array/find-label.js';
import type { Dimension } from '../array/model.js';
import { sortedNumbers } from './ticks.js';

/** A line as alternating longitudes and latitudes. */
type Line = readonly number[];

let lines: readonly Line[] | undefined;

/** Loads the coast lines, in degrees. */
export async function coastLines(): Promise<readonly Line[]> {
  if (lines !== undefined) return lines;
  const { COAST_TEXT: coastText } = await import('./coast-data.js');
  lines = coastText.split(';').map((text) => {
    let [x, y] = [0, 0];
    return text.split(' ').map((step, i) => {
      const by = Number(step);
      return (i % 2 === 0 ? (x += by) : (y += by)) / 10;
    });
  });
  return lines;
}

/**
 * Points to draw, as positions on x and y; NaN separates lines. Undefined unless the axes are sorted longitudes and
 * latitudes.
 */
export async function coastOf(x: Dimension, y: Dimension): Promise<Float64Array | undefined> {
  if (x.role !== 'longitude' || y.role !== 'latitude') return undefined;
  const [longitudes, latitudes] = [sortedNumbers(x), sortedNumbers(y)];
  if (longitudes === undefined || latitudes === undefined) return undefined;
  const points: number[] = [];
  const ends = [longitudes[0] ?? 0, longitudes.at(-1) ?? 0];
  const [west, east] = [Math.min(...ends), Math.max(...ends)];
  for (const line of await coastLines())
    // The longitudes of the array may start at any meridian, so the coast lines are repeated every 360 degrees.
    for (let turn = Math.floor((west - 180) / 360); turn <= Math.ceil((east + 180) / 360); turn++) {
      let drew = false;
      for (let i = 0; i + 1 < line.length; i += 2) {
        const longitude = (line[i] ?? 0) + 360 * turn;
        const inside = longitude > west - 10 && longitude < east + 10;
        const px = inside ? positionOf(longitudes, longitude) : undefined;
        const py = positionOf(latitudes, line[i + 1] ?? 0);
        if (px === undefined || py === undefined) {
          if (drew) points.push(Number.NaN, Number.NaN);
          drew = false;
        } else {
          points.push(px + 0.5, py + 0.5);
          drew = true;
        }
      }
      if (drew) points.push(Number.NaN, Number.NaN);
    }
  return Float64Array.from(points);
}
