// Draws readings as they are written: a subscription reports changes, a slice reads the latest readings.
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient, type NDArray } from 'zarrql-client';

const store = createClient({ url: '/graphql' }).store('live');
const readings = store.array('readings', { dtype: 'float32' });
const sensors = ['Temperature', 'Pressure', 'Humidity'];
/** Number of displayed readings, four per second. */
const SHOWN = 80;

function useLastReadings(): NDArray<'float32'> | undefined {
  const [last, setLast] = useState<NDArray<'float32'>>();
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const follow = async () => {
      setLast(await readings.slice([[-SHOWN, null]], { signal }));
      for await (const { kind } of store.changes('/readings', { signal }))
        // An append changes the shape first, then the values.
        if (kind === 'DATA') setLast(await readings.slice([[-SHOWN, null]], { signal }));
    };
    follow().catch((error: unknown) => {
      if (!signal.aborted) console.error(error);
    });
    return () => stop.abort();
  }, []);
  return last;
}

function Sensor({ name, values }: { readonly name: string; readonly values: readonly number[] }) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const path = values.map((value, i) => {
    const across = SHOWN - values.length + i;
    return `${i === 0 ? 'M' : 'L'}${across} ${(100 * (most - value)) / (most - least || 1)}`;
  });
  return (
    <figure>
      <figcaption>
        {name}
        <output>{values.at(-1)?.toFixed(2)}</output>
      </figcaption>
      <svg viewBox={`0 0 ${SHOWN - 1} 100`} preserveAspectRatio="none">
        <path d={path.join('')} />
      </svg>
    </figure>
  );
}

function Dashboard() {
  const last = useLastReadings();
  const [count = 0] = last?.shape ?? [];
  return (
    <main>
      <h1>Live readings</h1>
      <p className="live">Every reading that arrives is drawn. The last twenty seconds are shown.</p>
      {last !== undefined &&
        sensors.map((name, s) => (
          <Sensor key={name} name={name} values={Array.from({ length: count }, (_, t) => last.get(t, s))} />
        ))}
    </main>
  );
}

const page = document.getElementById('page');
if (page) createRoot(page).render(<Dashboard />);
