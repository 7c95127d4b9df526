/** The metadata of an array. */
import type { JsonValue } from 'zarrql-client';
import { useState } from 'preact/hooks';
import { client } from '../gateway/client.js';
import { storageDocument } from '../gateway/documents.js';
import { useLoad } from '../gateway/use-load.js';
import { bytesText, countText, shapeText } from '../parts/format.js';
import { Problem } from '../parts/problem.js';
import type { ArrayModel } from '../array/model.js';
import { Attributes } from './attributes.js';
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
        <Fact
          name="chunks"
          value={`${shapeText(info.chunkShape)}, ${countText(dimensions.reduce((n, { chunkCount }) => n * chunkCount, 1))} of them`}
        />
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

/** For arrays with more chunks, objects are counted on request only, because counting lists the store. */
const MAX_UNASKED_CHUNKS = 1000;

function Storage({ model }: { readonly model: ArrayModel }) {
  const { store, path, dimensions } = model;
  const [isAsked, setAsked] = useState(false);
  const isSmall = dimensions.reduce((n, { chunkCount }) => n * chunkCount, 1) <= MAX_UNASKED_CHUNKS;
  const loaded = useLoad(isSmall || isAsked ? `${store}${path}` : undefined, async (signal) => {
    const { store: found } = await client.request(storageDocument, { store, path }, { signal });
    return found?.array?.storage ?? undefined;
  });
  const { data } = loaded;
  return (
    <div>
      <dt>stored size</dt>
      <dd>
        {!isSmall && !isAsked && (
          <button type="button" onClick={() => setAsked(true)}>
            Count objects
          </button>
        )}
        {data !== undefined &&
          `${bytesText(Number(data.storedBytes))} in ${countText(Number(data.objects))} objects${data.ratio === null ? '' : `; decoded it is ${data.ratio.toPrecision(3)} times as large`}`}
        <Problem error={loaded.error} retry={loaded.retry} />
      </dd>
    </div>
  );
}
