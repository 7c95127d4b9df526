/** The metadata of an array. */
import type { JsonObject, JsonValue } from 'zarrql-client';
import { useState } from 'preact/hooks';
import { client } from '../gateway/client.js';
import { storageDocument } from '../gateway/documents.js';
import { useLoad } from '../gateway/use-load.js';
import { bytesText, countText, shapeText, storedText } from '../parts/format.js';
import { Problem } from '../parts/problem.js';
import type { ArrayModel } from '../array/model.js';
import { ChunkDrawing } from './chunk-drawing.js';

export function ArrayCard({ model }: { readonly model: ArrayModel }) {
  const { info, variable, dimensions } = model;
  return (
    <section class="card" aria-label="About this array">
      <h3>About this array</h3>
      <dl>
        <Fact name="shape" value={shapeText(info.shape)} />
        <Fact
          name="dimensions"
          value={dimensions.map(({ name, key }) => name ?? `(${key})`).join(', ') || 'none'}
        />
        <Fact name="data type" value={dtypeText(model)} />
        <Fact name="chunks" value={chunksText(model)} />
        {info.shardShape !== null && <Fact name="shards" value={shapeText(info.shardShape)} />}
        <Fact
          name="codecs"
          value={
            info.codecs.map(({ name, configuration }) => codecText(name, configuration)).join(' → ') || 'none'
          }
        />
        <Fact name="fill value" value={JSON.stringify(info.fillValue)} />
        <Fact name="decoded size" value={info.nbytes === null ? 'unknown' : bytesText(Number(info.nbytes))} />
        <Storage model={model} />
        <Fact name="format" value={`Zarr ${info.zarrFormat}`} />
        {variable?.standardName !== null && variable?.standardName !== undefined && (
          <Fact name="standard name" value={variable.standardName} />
        )}
      </dl>
      <ChunkDrawing model={model} />
      <Attributes attributes={info.attributes} />
    </section>
  );
}

function chunksText({ info, dimensions }: ArrayModel): string {
  const count = dimensions.reduce((product, { chunkCount }) => product * chunkCount, 1);
  const isUniform = info.dimensions.every(({ chunkLengths }) => chunkLengths === null);
  return `${countText(count)} ${count === 1 ? 'chunk' : 'chunks'} of ${isUniform ? '' : 'up to '}${shapeText(info.chunkShape)}`;
}

function dtypeText({ info, variable }: ArrayModel): string {
  const decoded = variable?.dtype.name;
  return decoded === undefined || decoded === info.dtype.name
    ? info.dtype.name
    : `${info.dtype.name}, decoded to ${decoded}`;
}

function codecText(name: string, configuration: JsonValue): string {
  if (configuration === null || typeof configuration !== 'object' || Array.isArray(configuration))
    return name;
  const parts = Object.entries(configuration).filter(([key]) => !/codecs/.test(key));
  return parts.length === 0
    ? name
    : `${name}(${parts.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(', ')})`;
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** In arrays with more chunks, objects are counted only after a click, because counting lists the store. */
const MAX_AUTOMATIC_CHUNKS = 1000;

function Storage({ model }: { readonly model: ArrayModel }) {
  const { store, path, dimensions } = model;
  const [isRequested, setRequested] = useState(false);
  const isSmall = dimensions.reduce((n, { chunkCount }) => n * chunkCount, 1) <= MAX_AUTOMATIC_CHUNKS;
  const loaded = useLoad(isSmall || isRequested ? `${store}${path}` : undefined, async (signal) => {
    const result = await client.request(storageDocument, { store, path }, { signal });
    return result.store?.array?.storage ?? undefined;
  });
  const { data } = loaded;
  return (
    <div>
      <dt>stored size</dt>
      <dd>
        {!isSmall && !isRequested && (
          <button type="button" onClick={() => setRequested(true)}>
            Count objects
          </button>
        )}
        {data !== undefined && storedText(Number(data.storedBytes), Number(data.objects), data.ratio)}
        <Problem error={loaded.error} retry={loaded.retry} />
      </dd>
    </div>
  );
}

/** Maximum length of a displayed value; longer values are truncated. */
const MAX_TEXT = 600;

export function Attributes({ attributes }: { readonly attributes: JsonObject }) {
  const entries = Object.entries(attributes);
  if (entries.length === 0) return null;
  return (
    <details>
      <summary>
        {entries.length} {entries.length === 1 ? 'attribute' : 'attributes'}
      </summary>
      <dl class="attributes">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{short(typeof value === 'string' ? value : JSON.stringify(value))}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function short(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text;
}
