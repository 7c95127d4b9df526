/** The metadata of an array. */
import type { JsonValue, JsonObject } from 'zarrql-client';
import { useState } from 'preact/hooks';
import { client } from '../gateway/client.js';
import { storageDocument } from '../gateway/documents.js';
import { useLoad } from '../gateway/use-load.js';
import { bytesText, countText, shapeText, storedText } from '../parts/format.js';
import { Problem } from '../parts/problem.js';
import type { ArrayModel } from '../array/model.js';

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
  return `${countText(count)} ${count === 1 ? 'chunk' : 'chunks'} of ${shapeText(info.chunkShape)}`;
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

const [WIDTH, HEIGHT] = [220, 130];
/** Maximum number of chunks or shards along a side to draw. More lines would merge into a grey area. */
const MAX_LINES = 60;

function ChunkDrawing({ model }: { readonly model: ArrayModel }) {
  const { info } = model;
  const [height = 1, width = 1] = info.shape.length === 1 ? [1, info.shape[0]] : info.shape.slice(-2);
  if (info.shape.length === 0 || width === 0 || height === 0) return null;
  const last = (sizes: readonly number[]) => (sizes.length === 1 ? [1, sizes[0] ?? 1] : sizes.slice(-2));
  const [chunkHeight = 1, chunkWidth = 1] = last(info.chunkShape);
  const scale = Math.min(WIDTH / width, HEIGHT / height);
  const [w, h] = [Math.max(20, width * scale), Math.max(14, height * scale)];
  const lines = (size: number, step: number, length: number) =>
    Math.ceil(size / step) > MAX_LINES
      ? []
      : Array.from({ length: Math.ceil(size / step) - 1 }, (_, i) => (((i + 1) * step) / size) * length);
  const grid = (steps: readonly number[], name: string) => {
    const [up = 1, across = 1] = steps;
    const path = [
      ...lines(width, across, w).map((x) => `M${x} 0V${h}`),
      ...lines(height, up, h).map((y) => `M0 ${y}H${w}`),
    ].join('');
    return <path class={name} d={path} />;
  };
  const names = info.dimensions
    .slice(-2)
    .map(({ name }, i) => name ?? `dimension ${Math.max(0, info.ndim - 2) + i}`);
  return (
    <figure class="chunks">
      <svg
        width={w + 2}
        height={h + 2}
        viewBox={`-1 -1 ${w + 2} ${h + 2}`}
        role="img"
        aria-label={`${info.chunkShape.join(' by ')} chunks in an array of ${info.shape.join(' by ')}`}
      >
        <rect width={w} height={h} class="extent" />
        {grid([chunkHeight, chunkWidth], 'chunk')}
        {info.shardShape !== null && grid(last(info.shardShape), 'shard')}
      </svg>
      <figcaption>
        Chunks{info.shardShape === null ? '' : ' and shards'} along {names.join(' and ')}
      </figcaption>
    </figure>
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
