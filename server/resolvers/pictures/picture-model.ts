/** Models of the fields `Slice.image`, `Picture`, `Legend` and `TileSet`. */
import type { RequestedColours } from '../../pictures/choose-painting.js';
import type { LegendPainting } from '../../pictures/legend/stops.js';
import type { Painting } from '../../pictures/paint/painting.js';
import type { PictureAxis } from '../../pictures/picture-axis.js';
import type { PictureLayout } from '../../pictures/picture-layout.js';
import type { PictureSubject } from '../../pictures/subject.js';
import type { GatewayContext } from '../context.js';
import type { SliceModel } from '../models.js';

/** A picture of a slice, which is drawn when its link is requested. */
export interface PictureModel {
  readonly subject: PictureSubject;
  readonly model: SliceModel;
  /** The slice, coarsened to at most one value per pixel. */
  readonly drawn: SliceModel;
  readonly layout: PictureLayout;
  readonly colours: RequestedColours;
  /** The horizontal and the vertical axis. Reads a few coordinates, once. */
  axes(context: GatewayContext): Promise<readonly [PictureAxis, PictureAxis]>;
  /**
   * The mapping from values to colours. Reads the values once if neither the request nor the attributes state
   * a range.
   */
  painting(context: GatewayContext): Promise<Painting>;
}

export interface LegendModel {
  readonly picture: PictureModel;
  readonly painting: LegendPainting;
}

export interface TileSetModel {
  /** Path of the tiles, with a slash at its end. Created once. */
  path(context: GatewayContext): Promise<string>;
}
