// OpenLayers reads a mean that the gateway computes, as a Zarr store: the browser colours the values.
import OpenLayersMap from 'ol/Map.js';
import View from 'ol/View.js';
import WebGLTileLayer from 'ol/layer/WebGLTile.js';
import GeoZarr from 'ol/source/GeoZarr.js';

const response = await fetch('/graphql', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    query: `{ store(name: "ocean") { variable(path: "/sst") { slice {
      reduce(by: MEAN, over: ["time"]) { zarrUrl }
    } } } }`,
  }),
});
const { zarrUrl } = (await response.json()).data.store.variable.slice.reduce;

const source = new GeoZarr({
  url: new URL(zarrUrl, location.href).href,
  variable: 'sst',
  projection: 'EPSG:4326',
  wrapX: true,
});
const celsius = ['band', 1];
new OpenLayersMap({
  target: 'map',
  layers: [
    new WebGLTileLayer({
      source,
      style: {
        color: [
          'interpolate',
          ['linear'],
          celsius,
          0,
          [40, 80, 220, 1],
          15,
          [240, 240, 160, 1],
          30,
          [200, 30, 20, 1],
        ],
      },
    }),
  ],
  view: new View({ projection: 'EPSG:4326', center: [180, 0], resolution: 0.5 }),
});
source.on('change', () => {
  document.body.dataset['state'] = source.getState() ?? '';
});
