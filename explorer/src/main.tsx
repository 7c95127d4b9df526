import { render } from 'preact';
import './styles.css';
import './values.css';
import { useState } from 'preact/hooks';
import { ArrayPage } from './array/array-page.js';
import { Sidebar } from './catalog/sidebar.js';
import { client, hasGraphiql } from './gateway/client.js';
import { useLoad } from './gateway/use-load.js';
import { GroupPage } from './node/group-page.js';
import { Problem, TokenDialog } from './parts/problem.js';
import { StartPage } from './catalog/start-page.js';
import { openStart, view, isTakenAsDark, switchTheme } from './state/current.js';

function App() {
  const [isListOpen, setListOpen] = useState(false);
  const { store, path } = view.value;
  return (
    <>
      <a href="#main" class="skip" onClick={skipToMain}>
        Skip to the content
      </a>
      <header class="top">
        <button
          type="button"
          class="menu"
          aria-expanded={isListOpen}
          onClick={() => setListOpen(!isListOpen)}
        >
          Stores
        </button>
        <h1>
          <a
            href="#/"
            onClick={(event) => {
              event.preventDefault();
              openStart();
            }}
          >
            zarrql
          </a>
        </h1>
        <Place />
        {hasGraphiql && (
          <a href="graphql" class="graphiql">
            GraphiQL
          </a>
        )}
        <button type="button" onClick={switchTheme}>
          {isTakenAsDark.value ? 'Light' : 'Dark'}
        </button>
      </header>
      <div
        class={isListOpen ? 'columns list-open' : 'columns'}
        onClick={(event) => closesList(event) && setListOpen(false)}
      >
        <Sidebar />
        <main id="main" tabIndex={-1}>
          {store === undefined ? (
            <StartPage />
          ) : (
            <NodePage store={store} path={path} key={`${store} ${path}`} />
          )}
        </main>
      </div>
      <TokenDialog />
    </>
  );
}

/** Whether the event closes the list, which covers the page on narrow screens until the user selects a node. */
function closesList(event: Event): boolean {
  return event.target instanceof HTMLAnchorElement;
}

function Place() {
  const { store, path } = view.value;
  if (store === undefined) return <span class="place" />;
  return (
    <span class="place" title={`${store}${path}`}>
      {store}
      {path === '/' ? '' : path}
    </span>
  );
}

/** Moves the focus to the main element. The fragment of the URL contains the view, so the link must not change it. */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function NodePage({ store, path }: { readonly store: string; readonly path: string }) {
  const loaded = useLoad(`${store} ${path}`, (signal) => client.store(store).node(path, { signal }));
  if (loaded.data === undefined)
    return loaded.error === undefined ? (
      <p class="note">Opening {path} …</p>
    ) : (
      <Problem error={loaded.error} retry={loaded.retry} />
    );
  return loaded.data.kind === 'ARRAY' ? (
    <ArrayPage store={store} path={path} />
  ) : (
    <GroupPage store={store} path={path} />
  );
}

const page = document.getElementById('page');
if (page !== null) render(<App />, page);
