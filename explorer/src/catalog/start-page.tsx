/** The start page: an introduction and an overview of the stores. */
import { variablesOf } from '../array/load-model.js';
import { client } from '../gateway/client.js';
import { useLoad } from '../gateway/use-load.js';
import { NodeLink } from '../node/group-page.js';
import { Problem } from '../parts/problem.js';
import { JobList } from './job-list.js';
import { Thumbnail } from './thumbnail.js';

/** Maximum number of stores on the page. The sidebar lists all stores. */
const MAX_STORES = 12;
const MAX_VARIABLES = 6;

export function StartPage() {
  const loaded = useLoad('stores', async (signal) => {
    const stores: { readonly name: string; readonly description: string | null }[] = [];
    for await (const store of client.stores({ signal })) {
      stores.push(store);
      if (stores.length === MAX_STORES) break;
    }
    return stores;
  });
  return (
    <>
      <h2>Choose a variable</h2>
      <p>
        Open a store, or search for an array. Select a part of an array of any size to see it immediately.
        Export the view as a GraphQL query, as code for TypeScript or Python, as a file, or as a link to this
        page.
      </p>
      <Problem error={loaded.error} retry={loaded.retry} />
      <div class="stores">
        {loaded.data?.map(({ name, description }) => (
          <StoreCard key={name} name={name} description={description} />
        ))}
      </div>
      <JobList />
    </>
  );
}

interface StoreCardProps {
  readonly name: string;
  readonly description: string | null;
}

function StoreCard({ name, description }: StoreCardProps) {
  const { data } = useLoad(name, async (signal) =>
    (await variablesOf(name, '/', signal))
      .filter(({ kind }) => kind === 'DATA')
      // Variables of many dimensions are usually those that one looks for.
      .sort((a, b) => b.dimensions.length - a.dimensions.length),
  );
  return (
    <section class="store-card" aria-label={`Store ${name}`}>
      <h3>
        <NodeLink store={name} path="/" text={name} />
      </h3>
      {description !== null && <p class="note">{description}</p>}
      <Thumbnail store={name} variables={data} />
      <ul>
        {data?.slice(0, MAX_VARIABLES).map((variable) => (
          <li key={variable.name}>
            <NodeLink store={name} path={`/${variable.name}`} text={variable.name} />{' '}
            <span class="note">{variable.longName ?? variable.standardName ?? ''}</span>
          </li>
        ))}
        {data?.length === 0 && (
          <li class="note">No variables at the root. Open the store to see its nodes.</li>
        )}
        {data !== undefined && data.length > MAX_VARIABLES && (
          <li class="note">and {data.length - MAX_VARIABLES} more</li>
        )}
      </ul>
    </section>
  );
}
