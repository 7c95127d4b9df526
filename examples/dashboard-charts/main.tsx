// Twenty line charts at the resolution of the screen, in one request: the hooks of the SDK batch them, and show each
// chart as soon as it arrives.
import { createRoot } from 'react-dom/client';
import { createClient } from 'zarrql-client';
import { lazySlice, type LinePoints } from 'zarrql-client/analysis';
import { useLine } from 'zarrql-client/react';
import type { Stores } from '../stores.gen.js';

const relief = createClient<Stores>({ url: '/graphql' }).store('etopo20').dataset().variable('relief');
const latitudes = Array.from({ length: 20 }, (_, i) => 76 - 8 * i);
const [LOWEST, HIGHEST, HEIGHT] = [-8000, 6000, 90];

function Section({ latitude }: { readonly latitude: number }) {
  const slice = lazySlice(relief, { lat: { at: latitude, method: 'nearest' } });
  const { ref, data, error, isLoading } = useLine(slice);
  return (
    <figure ref={ref} aria-busy={isLoading}>
      <figcaption>
        {Math.abs(latitude)}° {latitude < 0 ? 'S' : 'N'}
      </figcaption>
      {error !== undefined && <p role="alert">The chart could not be loaded.</p>}
      {data && <Chart points={data} />}
    </figure>
  );
}

/** Draws a profile of the elevation: land above sea level, and the sea floor below it. */
function Chart({ points: { x, y } }: { readonly points: LinePoints }) {
  const [west, east] = [Number(x.get(0)), Number(x.get(-1))];
  const place = (value: number, low: number, high: number) => (value - low) / (high - low);
  const path = Array.from({ length: x.size }, (_, i) => {
    const across = 1000 * place(Number(x.get(i)), west, east);
    const down = HEIGHT * (1 - place(Number(y.get(i)), LOWEST, HIGHEST));
    return `${i === 0 ? 'M' : 'L'}${across.toFixed(1)} ${down.toFixed(1)}`;
  }).join('');
  const sea = HEIGHT * (1 - place(0, LOWEST, HIGHEST));
  return (
    <svg viewBox={`0 0 1000 ${HEIGHT}`} preserveAspectRatio="none">
      <rect y={sea} width={1000} height={HEIGHT - sea} />
      <path d={`${path}L1000 ${HEIGHT}L0 ${HEIGHT}Z`} />
    </svg>
  );
}

function Dashboard() {
  return (
    <main>
      <h1>Twenty sections through the Earth</h1>
      <p>
        From 20° E around the world, 8 km deep to 6 km high. All charts come in one request, and each is drawn
        as soon as it arrives.
      </p>
      <div className="charts">
        {latitudes.map((latitude) => (
          <Section key={latitude} latitude={latitude} />
        ))}
      </div>
    </main>
  );
}

const page = document.getElementById('page');
if (page) createRoot(page).render(<Dashboard />);
