/** The servers: `prepare` creates a link if necessary, and `urlOf` returns the URL of a picture. */
import { join } from 'node:path';
import { dataFolder, distFolder, python, tilesPython } from '../folders.mjs';

export const store = join(dataFolder, 'pictures', 'world.zarr');

const RANGE = [200, 310];
const date = ({ month }) => `2021-${String(month + 1).padStart(2, '0')}-01`;

function zarrql(flags = []) {
  const args = [
    join(distFolder, 'server/cli.js'),
    'serve',
    '--store',
    `world=${store}`,
    '--log-level',
    'warn',
  ];
  return {
    start: (port) => [process.execPath, [...args, ...flags, '--port', String(port)]],
    ready: '/readyz',
    prepare,
    urlOf: ({ tile }, base, link) =>
      tile === undefined ? link : link.replace('{z}', tile.z).replace('{x}', tile.x).replace('{y}', tile.y),
  };
}

/** @returns the link to a picture, or the tile template of a month */
async function prepare({ tile, month }, base) {
  const colours = `range: {min: ${RANGE[0]}, max: ${RANGE[1]}}`;
  const field =
    tile === undefined
      ? `image(width: 1024, height: 512, ${colours}) { href }`
      : `tiles(${colours}) { template }`;
  const query = `{ store(name: "world") { dataset { variable(name: "t2m") { slice(select: { text: "${month}" }) { ${field} } } } } }`;
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = await response.json();
  if (errors !== undefined) throw new Error(JSON.stringify(errors).slice(0, 300));
  const { image, tiles } = data.store.dataset.variable.slice;
  return new URL(image?.href ?? tiles.template, base).href.replace(/%7B/g, '{').replace(/%7D/g, '}');
}

export const servers = {
  zarrql: zarrql(),
  'zarrql, no cache': zarrql(['--result-cache-bytes', '0', '--chunk-cache-bytes', '0']),
  titiler: {
    start: (port) => [python, [join(import.meta.dirname, '../reduce/titiler_app.py'), String(port)]],
    ready: '/ready',
    urlOf({ tile, month }, base) {
      const path =
        tile === undefined
          ? 'bbox/-180,-90,180,90/1024x512.png'
          : `tiles/WebMercatorQuad/${tile.z}/${tile.x}/${tile.y}.png`;
      const url = new URL(`${base}/${path}`);
      const chosen = { url: store, variable: 't2m', sel: `time=${date({ month })}`, rescale: RANGE.join(','), colormap_name: 'viridis' }; // prettier-ignore
      for (const [name, value] of Object.entries(chosen)) url.searchParams.set(name, value);
      return url.href;
    },
  },
  'xpublish-tiles': {
    start: (port) => [tilesPython, [join(import.meta.dirname, 'xpublish_tiles_app.py'), store, String(port)]],
    ready: '/ready',
    urlOf({ tile, month }, base) {
      const common = { colorscalerange: RANGE.join(','), time: date({ month }) };
      const size = tile === undefined ? { width: 1024, height: 512 } : { width: 256, height: 256 };
      const own =
        tile === undefined
          ? { service: 'WMS', version: '1.3.0', request: 'GetMap', layers: 't2m', styles: 'raster/viridis', crs: 'EPSG:4326', bbox: '-180,-90,180,90', format: 'image/png' } // prettier-ignore
          : { variables: 't2m', style: 'raster/viridis', f: 'image/png' };
      const path = tile === undefined ? 'wms' : `tiles/WebMercatorQuad/${tile.z}/${tile.y}/${tile.x}`;
      const url = new URL(`${base}/${path}`);
      for (const [name, value] of Object.entries({ ...own, ...common, ...size }))
        url.searchParams.set(name, value);
      return url.href;
    },
  },
};

// The pictures to draw.

/** Tiles at the zoom level whose pixels have the size of cells, each in different chunks, and maps of the world. */
const rows = [3, 4, 5, 6, 9, 10, 11, 12];
const tiles = rows.flatMap((y, i) => [2, 6, 10, 14].map((x) => ({ month: i, tile: { z: 4, x, y } })));
const worlds = [4, 5, 6, 7, 8, 9, 10, 11].map((month) => ({ month }));

export const scenarios = {
  tile: { title: 'Tile of 256x256', width: 256, height: 256, warmUp: 8, positions: tiles },
  picture: { title: 'Picture of 1024x512', width: 1024, height: 512, warmUp: 2, positions: worlds },
};
