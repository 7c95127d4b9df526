// A dashboard with urql: custom documents whose values are typed arrays.
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { cacheExchange, Client, gql, Provider, useQuery } from 'urql';
import { createClient } from 'zarrql-client';
import type { NDArray } from 'zarrql-client';
import { zarrqlExchange } from 'zarrql-client/urql';
import { HeatMap } from '../dashboard-parts/heat-map.js';
import { MonthPicker } from '../dashboard-parts/month-picker.js';

interface MonthData {
  readonly store: {
    readonly dataset: {
      readonly variable: {
        readonly longName: string | null;
        readonly slice: { readonly values: NDArray<'float32'> };
      };
    };
  };
}

const monthDocument = gql<MonthData, { month: number }>`
  query Month($month: BigInt!) {
    store(name: "coads") {
      dataset {
        variable(name: "SST") {
          longName
          slice(select: { named: [{ dim: "TIME", by: { index: $month } }] }) {
            dtype {
              name
              kind
              numpy
              itemSize
            }
            values
          }
        }
      }
    }
  }
`;

function Dashboard() {
  const [month, setMonth] = useState(0);
  const [{ data, error }] = useQuery({ query: monthDocument, variables: { month } });
  if (error) return <p role="alert">{error.message}</p>;
  const variable = data?.store.dataset.variable;
  return (
    <main>
      <h1>{variable?.longName ?? 'Loading …'}</h1>
      <MonthPicker month={month} onChange={setMonth} />
      {variable && <HeatMap values={variable.slice.values} />}
    </main>
  );
}

const client = new Client({
  url: '/graphql',
  exchanges: [cacheExchange, zarrqlExchange(createClient({ url: '/graphql' }))],
  preferGetMethod: false,
});
const page = document.getElementById('page');
if (page)
  createRoot(page).render(
    <Provider value={client}>
      <Dashboard />
    </Provider>,
  );
