/** Generates JavaScript that draws the visible values with Observable Plot. */
import type { Dimension } from '../array/model.js';
import type { Recipe } from '../array/recipe.js';
import type { Axes } from '../array/slice-of-view.js';
import { keyText, quote, readText } from './code-text.js';

/** @returns undefined for a view that is neither a line nor a plane */
export function chartText(
  recipe: Recipe,
  endpoint: string,
  { x, y }: Axes,
  title: string,
): string | undefined {
  if (x === undefined) return undefined;
  const mark = y === undefined ? lineText(x) : rasterText(recipe, x.key, y.key);
  return `import * as Plot from '@observablehq/plot';
${readText(recipe, endpoint)}${mark.data}
const chart = Plot.plot({
  title: ${quote(title)},
${mark.options}
});
document.body.append(chart);
`;
}

interface Mark {
  readonly data: string;
  readonly options: string;
}

function lineText({ key, labels, coordinate }: Dimension): Mark {
  const member = keyText(key) === key ? `?.${key}` : `?.[${keyText(key)}]`;
  const isDate = labels?.kind === 'date' || coordinate?.isDate === true;
  const labelled = coordinate !== undefined || labels !== undefined;
  return {
    data: labelled
      ? `const labels = values.coordinates${member}?.values.toJSON();
const x = labels${isDate ? '.map((text) => new Date(text))' : ''};
`
      : 'const x = Array.from({ length: values.size }, (_, i) => i);\n',
    options: `  x: { label: ${quote(key)} },
  marks: [Plot.lineY(values.toJSON(), { x })],`,
  };
}

/** Plot expects rows; the dimensions of the values are in the order of the array. */
function rasterText(recipe: Recipe, across: string, up: string): Mark {
  const keys = recipe.dims.map(({ key }) => key);
  const isTransposed = keys.indexOf(across) < keys.indexOf(up);
  const [rows, columns] = isTransposed ? ['width', 'height'] : ['height', 'width'];
  const cells = isTransposed
    ? 'Array.from(flat, (_, i) => flat[(i % width) * height + Math.floor(i / width)])'
    : 'flat';
  return {
    data: `const [${rows}, ${columns}] = values.shape;
const flat = values.toJSON().flat();
const cells = ${cells};
`,
    options: `  color: { scheme: 'viridis', legend: true },
  x: { label: ${quote(across)} },
  y: { label: ${quote(up)} },
  marks: [Plot.raster(cells, { width, height })],`,
  };
}
