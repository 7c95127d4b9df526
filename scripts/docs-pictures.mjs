// The pictures of docs/pictures.md: pictures, legends and a map tile of the sample stores, drawn by a gateway.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SST = { store: 'coads', variable: 'SST', select: '7' };
const RELIEF = { store: 'etopo20', variable: 'relief', select: '...' };
const WIND = { store: 'coads', variable: 'WSPD', select: '7' };

/** @type {Record<string, { store: string, variable: string, select: string, field: string }>} */
const fields = {
  'picture-sst': { ...SST, field: 'image(width: 720, range: {min: -2, max: 30}, colorMap: {name: INFERNO}) { href }' },
  'legend-sst': {
    ...SST,
    field: 'image(range: {min: -2, max: 30}, colorMap: {name: INFERNO}) { legend { href } }',
  },
  'picture-relief': { ...RELIEF, field: 'image(width: 540, range: {min: -6000, max: 6000}, colorMap: {name: VIK}) { href }' },
  'legend-wind': {
    ...WIND,
    field: 'image(range: {min: 0.5, max: 20}, scale: LOG, colorMap: {name: CIVIDIS}) { legend { href } }',
  },
  'tile-relief': { ...RELIEF, field: 'tiles(range: {min: -6000, max: 6000}, colorMap: {name: BATLOW}) { template }' },
}; // prettier-ignore

/** @param {string} endpoint of a gateway with the sample stores @param {string} folder */
export async function drawPictures(endpoint, folder) {
  for (const [name, { store, variable, select, field }] of Object.entries(fields)) {
    const query = `{ store(name: "${store}") { dataset { variable(name: "${variable}") { slice(select: {text: "${select}"}) { ${field} } } } } }`;
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = await response.json();
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    const { image, tiles } = data.store.dataset.variable.slice;
    const link = image?.href ?? image?.legend.href ?? tiles.template.replace('{z}/{x}/{y}', '2/2/1');
    const file = await fetch(new URL(link, endpoint));
    if (!file.ok) throw new Error(await file.text());
    writeFileSync(join(folder, `${name}.png`), new Uint8Array(await file.arrayBuffer()));
    console.log(`docs/images/${name}.png`);
  }
}
