// A map of the gateway's tiles with a legend, in OpenLayers.
import OpenLayersMap from 'ol/Map.js';
import View from 'ol/View.js';
import TileLayer from 'ol/layer/Tile.js';
import { fromLonLat } from 'ol/proj.js';
import XYZ from 'ol/source/XYZ.js';
import { createClient } from 'zarrql-client';
import { lazySlice } from 'zarrql-client/analysis';
import type { Stores } from '../stores.gen.js';

const relief = createClient<Stores>({ url: '/graphql' }).store('etopo20').dataset().variable('relief');
const colours = { range: [-6000, 6000], colorMap: 'vik' } as const;

const slice = lazySlice(relief);
const [tiles, { legend }] = await Promise.all([slice.tiles(colours), slice.image(colours)]);

new OpenLayersMap({
  target: 'map',
  // Cells keep their edges when they are larger than a pixel.
  layers: [new TileLayer({ source: new XYZ({ url: tiles.template, interpolate: false }) })],
  view: new View({ center: fromLonLat([10, 30]), zoom: 2 }),
});
const image = document.querySelector<HTMLImageElement>('#legend');
if (image && legend.href !== undefined) image.src = legend.href;
