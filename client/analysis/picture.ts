/** Links to pictures and map tiles of slices. The gateway draws them when a link is requested. */
import type { CoarsenMethod } from '../generated/operations.js';
import { isList, isRecord, type JsonValue } from '../json/json.js';
import type { Connection } from '../transport/connection.js';
import type { RequestOptions } from '../transport/document.js';
import { type AnalysisResponse, type FieldParams, malformed } from './load.js';

/** Whether the colour scale is linear or logarithmic. */
export type ColorScale = 'LINEAR' | 'LOG';

/** Colour maps of the gateway. */
export type ColorMapName =
  'viridis' | 'magma' | 'inferno' | 'plasma' | 'cividis' | 'turbo' | 'greys' | 'RdBu' | 'batlow' | 'vik';

/** A colour at a position between 0 and 1: #rrggbb or #rrggbbaa. */
export interface ColorStop {
  readonly at: number;
  readonly color: string;
}

export interface TileOptions extends RequestOptions {
  /** Values of the first and the last colour. @default the range of the attributes, else the 2 % and 98 % quantiles */
  readonly range?: readonly [min: JsonValue, max: JsonValue] | undefined;
  /** @default flag_colors for flags, else viridis */
  readonly colorMap?: ColorMapName | readonly ColorStop[] | undefined;
  /** @default LINEAR */
  readonly scale?: ColorScale | undefined;
}

export interface ImageOptions extends TileOptions {
  /** Maximum width and height in pixels, at most 4096. @default at most 1024 along each side */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Reduction of a block of values to a pixel. @default MODE for flags and booleans, else MEAN */
  readonly method?: CoarsenMethod | undefined;
}

/** A link to a picture as a PNG file, with its axes and legend. */
export interface Picture {
  readonly href: string;
  /** Width and height in pixels. */
  readonly width: number;
  readonly height: number;
  /** Values of the first and the last colour; undefined for categories, such as flags. */
  readonly range: readonly [min: JsonValue, max: JsonValue] | undefined;
  readonly axes: readonly [horizontal: PictureAxis, vertical: PictureAxis];
  readonly legend: {
    /** A link to the legend as a PNG file; undefined for RGB pictures. */
    readonly href: string | undefined;
    readonly stops: readonly LegendStop[];
    readonly title: string | undefined;
    readonly units: string | undefined;
  };
}

/** An axis of a picture: the horizontal one from left to right, the vertical one from top to bottom. */
export interface PictureAxis {
  readonly name: string | undefined;
  /** Coordinates at both ends; null without a coordinate. */
  readonly from: JsonValue;
  readonly to: JsonValue;
}

export interface LegendStop {
  readonly value: JsonValue;
  readonly color: string;
  /** Meaning of a flag. */
  readonly label?: string;
}

/** Links to map tiles: their TileJSON, and the URL of a tile with `{z}`, `{x}` and `{y}`. */
export interface TileSet {
  readonly json: string;
  readonly template: string;
}

type Args = FieldParams['args'];

export function imageParams({ width, height, method, ...colours }: ImageOptions): FieldParams {
  const names = 'width: $width, height: $height, method: $method';
  return {
    field: `image(${names}, ${COLOUR_ARGUMENTS}) { href width height range { min max } axes { name from to } legend { href stops { value color label } title units } }`,
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
    colorMap === undefined
      ? null
      : typeof colorMap === 'string'
        ? { name: colorMap.toUpperCase() }
        : { stops: colorMap };
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
  const { min, max } = isRecord(range) ? range : {};
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
