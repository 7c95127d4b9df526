import { useEffect, useRef } from 'react';
import type { NDArray } from 'zarrql-client';

/** Heat map of a plane with rows from south to north, from blue (lowest) to red. Missing values are transparent. */
export function HeatMap({ values }: { readonly values: NDArray<'float32'> }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [height = 0, width = 0] = values.shape;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    const { least, most } = rangeOf(values.data);
    const image = context?.createImageData(width, height);
    if (!context || !image) return;
    for (let place = 0; place < values.size; place++) {
      const value = values.data[place] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      const warmth = (255 * (value - least)) / (most - least);
      const x = place % width;
      const y = height - 1 - Math.floor(place / width);
      image.data.set([warmth, 64, 255 - warmth, 255], 4 * (y * width + x));
    }
    context.putImageData(image, 0, 0);
  }, [values, width, height]);
  const { least, most } = rangeOf(values.data);
  return (
    <figure>
      <canvas
        ref={canvas}
        width={width}
        height={height}
        style={{ width: '100%', maxWidth: '60rem', imageRendering: 'pixelated', background: '#d9dce0' }}
      />
      <figcaption>
        {least.toFixed(2)} to {most.toFixed(2)} °C
      </figcaption>
    </figure>
  );
}

function rangeOf(data: Float32Array): { least: number; most: number } {
  let [least, most] = [Infinity, -Infinity];
  for (const value of data) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return { least, most };
}
