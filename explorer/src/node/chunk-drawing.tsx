import type { DimensionInfo } from 'zarrql-client';
import type { ArrayModel } from '../array/model.js';

const [WIDTH, HEIGHT] = [220, 130];
/** Maximum number of chunks or shards along a side to draw. More lines would merge into a grey area. */
const MAX_LINES = 60;

/** The positions at which chunks end along a dimension; none if they are too many to draw. */
function ends(size: number, count: number, lengths: DimensionInfo['chunkLengths']): number[] {
  if (count > MAX_LINES) return [];
  const positions: number[] = [];
  let end = 0;
  for (const entry of lengths ?? [[size, count] as const]) {
    const [length, repeated] = typeof entry === 'number' ? [entry, 1] : entry;
    for (let i = 0; i < repeated; i++) positions.push((end += length));
  }
  return positions;
}

export function ChunkDrawing({ model }: { readonly model: ArrayModel }) {
  const { info } = model;
  const [height = 1, width = 1] = info.shape.length === 1 ? [1, info.shape[0]] : info.shape.slice(-2);
  if (info.shape.length === 0 || width === 0 || height === 0) return null;
  const last = (sizes: readonly number[]) => (sizes.length === 1 ? [1, sizes[0] ?? 1] : sizes.slice(-2));
  const isUniform = info.dimensions.every(({ chunkLengths }) => chunkLengths === null);
  const chunks = info.dimensions.map(({ chunkSize, chunkCount, chunkLengths }) =>
    ends(chunkSize, chunkCount, chunkLengths),
  );
  const [rows, columns] = info.shape.length === 1 ? [[], chunks[0]] : chunks.slice(-2);
  const scale = Math.min(WIDTH / width, HEIGHT / height);
  const [w, h] = [Math.max(20, width * scale), Math.max(14, height * scale)];
  const grid = (up: readonly number[] = [], across: readonly number[] = [], name: string) => {
    const path = [
      ...across.filter((end) => end < width).map((end) => `M${(end / width) * w} 0V${h}`),
      ...up.filter((end) => end < height).map((end) => `M0 ${(end / height) * h}H${w}`),
    ].join('');
    return <path class={name} d={path} />;
  };
  // Shards of different shapes are drawn as chunks.
  const shards = info.shardShape === null || !isUniform ? undefined : last(info.shardShape);
  const [shardHeight = 1, shardWidth = 1] = shards ?? [];
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
        aria-label={`${isUniform ? '' : 'up to '}${info.chunkShape.join(' by ')} chunks in an array of ${info.shape.join(' by ')}`}
      >
        <rect width={w} height={h} class="extent" />
        {grid(rows, columns, 'chunk')}
        {shards !== undefined &&
          grid(
            ends(shardHeight, Math.ceil(height / shardHeight), null),
            ends(shardWidth, Math.ceil(width / shardWidth), null),
            'shard',
          )}
      </svg>
      <figcaption>
        Chunks{info.shardShape === null ? '' : ' and shards'} along {names.join(' and ')}
      </figcaption>
    </figure>
  );
}
