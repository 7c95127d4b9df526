// Other libraries on the gateway's data: zarrita reads a mean that the gateway computes as a Zarr store, and Arquero a table.
import { desc, loadArrow } from 'arquero';
import { FetchStore, get, open, root } from 'zarrita';

const response = await fetch('/graphql', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    query: `{ store(name: "ocean") { variable(path: "/sst") { slice {
      mean: reduce(by: MEAN, over: ["time"]) { zarrUrl }
      zonal: reduce(by: MEAN, over: ["time", "lon"]) { href(format: ARROW) }
    } } } }`,
  }),
});
const { mean, zonal } = (await response.json()).data.store.variable.slice;

const store = root(new FetchStore(new URL(mean.zarrUrl, location.href)));
const array = await open(store.resolve('sst'), { kind: 'array' });
const { data: values, shape } = await get(array);
draw(values as Float32Array, shape);
document.querySelector('figcaption')!.textContent =
  `${String(array.attrs['long_name'])}, ${String(array.attrs['units'])}`;

const table = await loadArrow(new URL(zonal.href, location.href).href);
const rows = table
  .filter((row: Row) => row.sst !== null)
  .orderby(desc('lat'))
  .objects() as Row[];
document.querySelector('table')!.append(
  ...rows.map(({ lat, sst }) => {
    const row = document.createElement('tr');
    for (const text of [`${lat}°`, sst.toFixed(1)]) row.insertCell().textContent = text;
    return row;
  }),
);

interface Row {
  readonly lat: number;
  readonly sst: number;
}

function draw(temperatures: Float32Array, [height = 0, width = 0]: readonly number[]): void {
  const canvas = document.querySelector('canvas')!;
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext('2d')!;
  const picture = context.createImageData(width, height);
  for (const [i, celsius] of temperatures.entries()) {
    // The first row is the southernmost.
    const at = 4 * ((height - 1 - Math.floor(i / width)) * width + (i % width));
    const warm = Math.min(1, Math.max(0, celsius / 30));
    picture.data.set(Number.isNaN(celsius) ? [0, 0, 0, 0] : [255 * warm, 80, 255 * (1 - warm), 255], at);
  }
  context.putImageData(picture, 0, 0);
}
