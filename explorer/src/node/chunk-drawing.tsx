import type { ArrayModel } from '../array/model.js';

const [WIDTH, HEIGHT] = [220, 130];
/** Maximum number of chunks or shards along a side to draw. More lines would merge into a grey area. */
const MAX_LINES = 60;

export function ChunkDrawing({ model }: { readonly model: ArrayModel }) {
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
