// A map of the gateway's tiles with a legend. MapLibre reads bounds and zoom levels from the TileJSON.
/// <reference types="vite/client" />
import { Map as MapView, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import { createClient } from 'zarrql-client';
import { lazySlice } from 'zarrql-client/analysis';
import type { Stores } from '../stores.gen.js';

setWorkerUrl(workerUrl);

const relief = createClient<Stores>({ url: '/graphql' }).store('etopo20').dataset().variable('relief');
const colours = { range: [-6000, 6000], colorMap: 'vik' } as const;

const slice = lazySlice(relief);
const [tiles, { legend }] = await Promise.all([slice.tiles(colours), slice.image(colours)]);

new MapView({
  container: 'map',
  center: [10, 30],
  zoom: 1,
  style: {
    version: 8,
    sources: { relief: { type: 'raster', url: tiles.json, tileSize: 256 } },
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': '#fff' } },
      // Cells keep their edges when they are larger than a pixel.
      { id: 'relief', type: 'raster', source: 'relief', paint: { 'raster-resampling': 'nearest' } },
    ],
  },
});
const image = document.querySelector<HTMLImageElement>('#legend');
if (image && legend.href !== undefined) image.src = legend.href;
