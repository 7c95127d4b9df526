/** A group: its variables or members, images and attributes. */
import { useEffect, useState } from 'preact/hooks';
import type { NodeSummary, RequestOptions, VariableInfo } from 'zarrql-client';
import { lazySlice } from 'zarrql-client/analysis';
import { labelsOf } from '../array/labels.js';
import { imagesOf, variablesOf } from '../array/load-model.js';
import type { Level } from '../array/model.js';
import { client, noteError } from '../gateway/client.js';
import { useLoad } from '../gateway/use-load.js';
import { shapeText } from '../parts/format.js';
import { Problem } from '../parts/problem.js';
import { open } from '../state/current.js';
import { formatLink } from '../state/link.js';
import { emptyView } from '../state/view.js';
import { Attributes } from './array-card.js';
import { VersionMenu } from './versions.js';

/** Maximum number of listed members. */
const MAX_MEMBERS = 500;

export function GroupPage({ store, path }: { readonly store: string; readonly path: string }) {
  const loaded = useLoad(`${store} ${path}`, async (signal) => {
    const group = client.store(store).group(path);
    const [info, variables, images, members] = await Promise.all([
      group.info({ signal }),
      variablesOf(store, path, signal),
      imagesOf(store, path, signal),
      membersOf(store, path, signal),
    ]);
    return { info, variables, images, members, key: `${store} ${path}` };
  });
  const { data } = loaded;
  if (data === undefined || data.key !== `${store} ${path}`)
    return loaded.error === undefined ? (
      <p class="note">Opening {path} …</p>
    ) : (
      <Problem error={loaded.error} retry={loaded.retry} />
    );
  const { info, variables, images, members } = data;
  const title = info.attributes['title'];
  const known = new Set(variables.map(({ name }) => name));
  const others = members.filter(({ name }) => !known.has(name));
  return (
    <>
      <h2>
        {typeof title === 'string' ? title : path === '/' ? store : info.name}{' '}
        <span class="note">group {path}</span>
      </h2>
      <VersionMenu store={store} />
      {images.map((levels, i) => (
        <ImageLink key={i} store={store} levels={levels} />
      ))}
      <Variables
        store={store}
        path={path}
        title="Data"
        variables={variables.filter(({ kind }) => kind === 'DATA')}
      />
      <Coordinates store={store} path={path} variables={variables} />
      <Members store={store} members={others} />
      {members.length === 0 && <p class="note">This group is empty.</p>}
      {members.length >= MAX_MEMBERS && (
        <p class="note">Only {MAX_MEMBERS} members are listed. Search for others on the left.</p>
      )}
      <Attributes attributes={info.attributes} />
    </>
  );
}

async function membersOf(store: string, path: string, signal: AbortSignal): Promise<readonly NodeSummary[]> {
  const members: NodeSummary[] = [];
  for await (const node of client
    .store(store)
    .group(path)
    .members({ signal, onError() {} })) {
    members.push(node);
    if (members.length >= MAX_MEMBERS) break;
  }
  return members;
}

function ImageLink({ store, levels }: { readonly store: string; readonly levels: readonly Level[] }) {
  const [finest] = levels;
  if (finest === undefined) return null;
  return (
    <p>
      <NodeLink store={store} path={finest.path} text={`Open the image of ${levels.length} levels`} />{' '}
      <span class="note">{shapeText(finest.shape)}</span>
    </p>
  );
}

interface VariablesProps {
  readonly store: string;
  readonly path: string;
  readonly title: string;
  readonly variables: readonly VariableInfo[];
  /** First and last values of coordinates. */
  readonly ranges?: ReadonlyMap<string, string>;
}

function Variables({ store, path, title, variables, ranges }: VariablesProps) {
  if (variables.length === 0) return null;
  const folder = path === '/' ? '' : path;
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={title}>
      <table class="variables">
        <caption>{title}</caption>
        <thead>
          <tr>
            {[
              'Name',
              'Meaning',
              'Dimensions',
              ...(ranges === undefined ? [] : ['From … to']),
              'Units',
              'Type',
            ].map((head) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {variables.map(({ name, longName, standardName, dimensions, shape, units, dtype }) => (
            <tr key={name}>
              <th scope="row">
                <NodeLink store={store} path={`${folder}/${name}`} text={name} />
              </th>
              <td>{longName ?? standardName ?? ''}</td>
              <td>{dimensions.map((dim, d) => `${dim} ${shape[d] ?? ''}`).join(' × ') || 'single value'}</td>
              {ranges !== undefined && <td>{ranges.get(name) ?? ''}</td>}
              <td>{/datetime|timedelta/.test(dtype.name) ? '' : (units ?? '')}</td>
              <td>{dtype.name}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Members({ store, members }: { readonly store: string; readonly members: readonly NodeSummary[] }) {
  if (members.length === 0) return null;
  return (
    <ul class="members" aria-label="Members">
      {members.map((node) => (
        <li key={node.path}>
          <NodeLink store={store} path={node.path} text={node.name} />{' '}
          <span class="note">
            {node.kind === 'ARRAY' ? `${shapeText(node.shape)} ${node.dtype.name}` : 'group'}
          </span>
        </li>
      ))}
    </ul>
  );
}

export function NodeLink({
  store,
  path,
  text,
}: {
  readonly store: string;
  readonly path: string;
  readonly text: string;
}) {
  return (
    <a
      href={formatLink({ ...emptyView, store, path })}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        open(store, path);
      }}
    >
      {text}
    </a>
  );
}

/** Maximum number of coordinates read. */
const MAX_COORDINATES = 20;

/** Lists the coordinates immediately. Their ranges appear as they arrive. */
function Coordinates({ store, path, variables }: Omit<VariablesProps, 'title' | 'ranges'>) {
  const [ranges, setRanges] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    const stop = new AbortController();
    setRanges(new Map());
    const show = (name: string, range: string) => setRanges((last) => new Map([...last, [name, range]]));
    readRanges(store, path, variables, stop.signal, show).catch(noteError);
    return () => stop.abort();
  }, [store, path, variables]);
  const coordinates = variables.filter(({ kind }) => kind === 'COORDINATE');
  return <Variables store={store} path={path} title="Coordinates" ranges={ranges} variables={coordinates} />;
}

/** Reads the ranges of coordinates in one request. Omits those that cannot be read, are empty or are not one-dimensional. */
async function readRanges(
  store: string,
  group: string,
  variables: readonly VariableInfo[],
  signal: AbortSignal,
  show: (name: string, range: string) => void,
): Promise<void> {
  const dataset = client.store(store).dataset(group);
  const coordinates = variables
    .filter(({ kind, shape }) => kind === 'COORDINATE' && shape.length === 1 && Number(shape[0]) > 0)
    .slice(0, MAX_COORDINATES);
  const requests = coordinates.map(({ name, dimensions: [dim = ''] }) => {
    const ends = lazySlice(dataset.variable(name), { [dim]: { indices: [0, -1] } });
    return [name, (call: RequestOptions) => ends.read({ coordinates: false, ...call })] as const;
  });
  for await (const { key, result } of client.batch(Object.fromEntries(requests), { signal })) {
    if (result.status === 'rejected') continue;
    const labels = labelsOf(result.value);
    show(key, `${labels.text(0)} … ${labels.text(1)}`);
  }
}
