/** Draws a map of tiles with coast lines and marks on a canvas. */
import type { Dimension } from '../array/model.js';
import { labelText } from '../plane/ticks.js';
import {
  canvasPoint,
  type Cell,
  type MapFrame,
  pointOf,
  worldAt,
  worldWidth,
  project,
  unproject,
  type WorldPoint,
} from './map-frame.js';
import type { TileAddress, TileCache } from './tile-cache.js';

export interface MapPicture extends MapFrame {
  readonly ratio: number;
  readonly x: Dimension;
  readonly y: Dimension;
  readonly tiles: TileCache | undefined;
  readonly coast: Path2D | undefined;
  readonly marked: Cell | undefined;
  readonly hovered: Cell | undefined;
  readonly isDark: boolean;
}

/** Maximum number of zoom levels to search for a coarser tile to show while a tile loads. */
const MAX_ANCESTORS = 6;

export function drawMap(canvas: HTMLCanvasElement, map: MapPicture): void {
  const { width, height, ratio } = map;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = map.isDark ? '#3a3f45' : '#d9dce0';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingEnabled = false;
  for (const tile of visibleTiles(map)) drawTile(context, map, tile);
  if (map.coast !== undefined) drawCoast(context, map, map.coast);
  drawGrid(context, map);
  if (map.hovered !== undefined) drawRing(context, map, map.hovered, 'rgb(255 255 255 / 80%)');
  if (map.marked !== undefined) drawRing(context, map, map.marked, '#fff');
}

interface PlacedTile extends TileAddress {
  readonly left: number;
  readonly top: number;
  readonly size: number;
}

/** Tiles of the nearest whole zoom level. The world repeats in longitude. */
function visibleTiles(map: MapFrame): readonly PlacedTile[] {
  const zoom = Math.max(0, Math.round(map.position.zoom));
  const count = 2 ** zoom;
  const [from, to] = [worldAt(map, 0, 0), worldAt(map, map.width, map.height)];
  const size = worldWidth(map) / count;
  const tiles: PlacedTile[] = [];
  for (let row = Math.max(0, Math.floor(from.y * count)); row < Math.min(count, to.y * count); row++)
    for (let column = Math.floor(from.x * count); column < to.x * count; column++) {
      const { left, top } = canvasPoint(map, { x: column / count, y: row / count });
      tiles.push({ zoom, column: ((column % count) + count) % count, row, left, top, size });
    }
  return tiles;
}

function drawTile(context: CanvasRenderingContext2D, { tiles, ratio }: MapPicture, tile: PlacedTile): void {
  if (tiles === undefined) return;
  // Whole pixels, so that no seams are visible between tiles.
  const snap = (value: number) => Math.round(value * ratio) / ratio;
  const [left, top] = [snap(tile.left), snap(tile.top)];
  const [width, height] = [snap(tile.left + tile.size) - left, snap(tile.top + tile.size) - top];
  const image = tiles.get(tile);
  if (image !== undefined) {
    context.drawImage(image, left, top, width, height);
    return;
  }
  for (let up = 1; up <= Math.min(MAX_ANCESTORS, tile.zoom); up++) {
    const [column, row] = [tile.column >> up, tile.row >> up];
    const ancestor = tiles.peek({ zoom: tile.zoom - up, column, row });
    if (ancestor === undefined) continue;
    const part = ancestor.naturalWidth / 2 ** up;
    const [fromX, fromY] = [(tile.column - (column << up)) * part, (tile.row - (row << up)) * part];
    context.drawImage(ancestor, fromX, fromY, part, part, left, top, width, height);
    return;
  }
}

/** @param lines alternating longitudes and latitudes */
export function coastPath(lines: readonly (readonly number[])[]): Path2D {
  const path = new Path2D();
  for (const line of lines)
    for (let i = 0; i + 1 < line.length; i += 2) {
      const { x, y } = project(line[i] ?? 0, line[i + 1] ?? 0);
      if (i === 0) path.moveTo(x, y);
      else path.lineTo(x, y);
    }
  return path;
}

function drawCoast(context: CanvasRenderingContext2D, map: MapPicture, coast: Path2D): void {
  const scale = worldWidth(map);
  const [west, east] = [worldAt(map, 0, 0).x, worldAt(map, map.width, 0).x];
  for (let turn = Math.floor(west); turn < east; turn++) {
    const { left, top } = canvasPoint(map, { x: turn, y: 0 });
    context.save();
    context.translate(left, top);
    context.scale(scale, scale);
    context.strokeStyle = 'rgb(255 255 255 / 45%)';
    context.lineWidth = 2 / scale;
    context.stroke(coast);
    context.strokeStyle = 'rgb(0 0 0 / 85%)';
    context.lineWidth = 0.8 / scale;
    context.stroke(coast);
    context.restore();
  }
}

const steps = [90, 60, 45, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01];

/** Meridians and parallels with their degrees. */
function drawGrid(context: CanvasRenderingContext2D, map: MapPicture): void {
  const degrees = (360 * 110) / worldWidth(map);
  const step = [...steps].reverse().find((each) => each >= degrees) ?? 90;
  const [from, to] = [unproject(worldAt(map, 0, 0)), unproject(worldAt(map, map.width, map.height))];
  context.font = '11px system-ui, sans-serif';
  context.lineWidth = 0.5;
  const label = (text: string, left: number, top: number) => {
    context.strokeStyle = 'rgb(255 255 255 / 85%)';
    context.lineWidth = 3;
    context.strokeText(text, left, top);
    context.fillStyle = '#1d2126';
    context.fillText(text, left, top);
    context.lineWidth = 0.5;
  };
  const rule = (at: WorldPoint, isMeridian: boolean, text: string) => {
    const { left, top } = canvasPoint(map, at);
    context.strokeStyle = 'rgb(0 0 0 / 30%)';
    context.beginPath();
    context.moveTo(isMeridian ? left : 0, isMeridian ? 0 : top);
    context.lineTo(isMeridian ? left : map.width, isMeridian ? map.height : top);
    context.stroke();
    if (isMeridian) label(text, left + 3, map.height - 5);
    else label(text, 4, top - 3);
  };
  const round = (value: number) => Number(value.toFixed(4));
  for (let n = Math.ceil(from.longitude / step); n * step <= to.longitude; n++)
    rule(project(n * step, 0), true, labelText({ role: 'longitude' }, round(n * step)));
  for (let n = Math.ceil(Math.max(-80, to.latitude) / step); n * step <= Math.min(80, from.latitude); n++)
    rule(project(0, n * step), false, labelText({ role: 'latitude' }, round(n * step)));
}

function drawRing(context: CanvasRenderingContext2D, map: MapPicture, cell: Cell, colour: string): void {
  const point = pointOf(map.x, map.y, cell);
  const west = worldAt(map, 0, 0).x;
  // The map repeats the world. Moves the point by whole worlds into the visible copy.
  const turn = Math.ceil(west - point.x);
  const { left, top } = canvasPoint(map, { x: point.x + turn, y: point.y });
  context.beginPath();
  context.arc(left, top, 6, 0, 2 * Math.PI);
  context.strokeStyle = '#000';
  context.lineWidth = 4;
  context.stroke();
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.stroke();
}
