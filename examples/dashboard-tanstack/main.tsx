// A dashboard with TanStack Query, with generated types for stores, dimensions and data types.
import { keepPreviousData, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from 'zarrql-client';
import { HeatMap } from '../dashboard-parts/heat-map.js';
import { MonthPicker } from '../dashboard-parts/month-picker.js';
import type { Stores } from '../stores.gen.js';

const coads = createClient<Stores>({ url: '/graphql' }).store('coads').dataset();

function Dashboard() {
  const [month, setMonth] = useState(0);
  const { data, error } = useQuery({
    queryKey: ['SST', month],
    queryFn: ({ signal }) => coads.select({ TIME: month }).variable('SST').slice(undefined, { signal }),
    placeholderData: keepPreviousData,
  });
  if (error) return <p role="alert">{error.message}</p>;
  return (
    <main>
      <h1>Sea surface temperature</h1>
      <MonthPicker month={month} onChange={setMonth} />
      {data && <HeatMap values={data} />}
    </main>
  );
}

const page = document.getElementById('page');
if (page)
  createRoot(page).render(
    <QueryClientProvider client={new QueryClient()}>
      <Dashboard />
    </QueryClientProvider>,
  );
