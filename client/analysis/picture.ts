/** Links to pictures and map tiles of slices. The gateway draws them when a link is requested. */
import { isList, isRecord } from '../json/json.js';
import type { JsonValue } from '../json/json.js';
import type { Connection } from '../transport/connection.js';
import { type AnalysisResponse, type FieldParams, malformed } from './load.js';
import type {
  ImageOptions,
  LegendStop,
  Picture,
  PictureAxis,
  TileOptions,
  TileSet,
} from './picture-types.js';

type Args = FieldParams['args'];

export function imageParams({ width, height, method, ...colours }: ImageOptions): FieldParams {
  const names = 'width: $width, height: $height, method: $method';
  return {
    field: `image(${names}, ${COLOUR_ARGUMENTS}) { href width height range axes { name from to } legend { href stops title units } }`,
    args: {
      width: ['Int', width ?? null],
      height: ['Int', height ?? null],
      method: ['CoarsenMethod', method ?? null],
      ...colourArgs(colours),
    },
  };
}

export function tilesParams(options: TileOptions): FieldParams {
  return { field: `tiles(${COLOUR_ARGUMENTS}) { json template }`, args: colourArgs(options) };
}

const COLOUR_ARGUMENTS = 'range: $range, colorMap: $colorMap, scale: $scale';

function colourArgs({ range, colorMap, scale = 'LINEAR' }: TileOptions): Args {
  const map =
    colorMap === undefined ? null : typeof colorMap === 'string' ? { name: colorMap } : { stops: colorMap };
  return {
    range: ['ValueRange', range === undefined ? null : { min: range[0], max: range[1] }],
    colorMap: ['ColorMapInput', map],
    scale: ['ColorScale! = LINEAR', scale],
  };
}

export function parsePicture({ slice, errors }: AnalysisResponse, { absolute }: Connection): Picture {
  const [error] = errors;
  if (error !== undefined) throw error;
  const { image } = slice;
  if (!isRecord(image)) throw malformed();
  const { href, width, height, range, axes, legend } = image;
  const [horizontal, vertical] = isList(axes) ? axes.map(axisOf) : [];
  if (typeof href !== 'string' || typeof width !== 'number' || typeof height !== 'number') throw malformed();
  if (horizontal === undefined || vertical === undefined) throw malformed();
  const stops = isRecord(legend) && isList(legend['stops']) ? legend['stops'].map(stopOf) : [];
  const textIn = (name: string): string | undefined => {
    const text = isRecord(legend) ? legend[name] : undefined;
    return typeof text === 'string' ? text : undefined;
  };
  const legendHref = textIn('href');
  const [min, max] = isList(range) ? range : [];
  return {
    href: absolute(href),
    width,
    height,
    range: min === undefined || max === undefined ? undefined : [jsonOf(min), jsonOf(max)],
    axes: [horizontal, vertical],
    legend: {
      href: legendHref === undefined ? undefined : absolute(legendHref),
      stops,
      title: textIn('title'),
      units: textIn('units'),
    },
  };
}

export function parseTiles({ slice, errors }: AnalysisResponse, { absolute }: Connection): TileSet {
  const [error] = errors;
  if (error !== undefined) throw error;
  const { tiles } = slice;
  if (!isRecord(tiles)) throw malformed();
  const { json, template } = tiles;
  if (typeof json !== 'string' || typeof template !== 'string') throw malformed();
  // URL encodes the braces of placeholders; restores them.
  return {
    json: absolute(json),
    template: absolute(template).replace(/%7B/gi, '{').replace(/%7D/gi, '}'),
  };
}

function axisOf(response: unknown): PictureAxis {
  if (!isRecord(response)) throw malformed();
  const { name, from, to } = response;
  return { name: typeof name === 'string' ? name : undefined, from: jsonOf(from), to: jsonOf(to) };
}

function stopOf(response: unknown): LegendStop {
  if (!isRecord(response)) throw malformed();
  const { value, color, label } = response;
  if (typeof color !== 'string') throw malformed();
  return { value: jsonOf(value), color, ...(typeof label === 'string' ? { label } : {}) };
}

function jsonOf(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return value;
  throw malformed();
}
