/** Pictures and map tiles: their options and links. */
import type { CoarsenMethod } from '../generated/operations.js';
import type { JsonValue } from '../json/json.js';
import type { RequestOptions } from '../transport/document.js';

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
  /** Width and height in pixels, at most 4096. @default at most 1024 along each side */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Reduction of a block of values to a pixel. @default MODE for flags and booleans, else MEAN */
  readonly method?: CoarsenMethod | undefined;
}

/** A link to a picture as a PNG file, with its axes and legend. */
export interface Picture {
  readonly href: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Values of the first and the last colour; undefined for flags. */
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

/** The axes from left to right and from top to bottom. */
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
