/** The cost of reading the visible part at full resolution. */
import { useLoad } from '../gateway/use-load.js';
import { bytesText, countText, shapeText } from '../parts/format.js';
import { view } from '../state/current.js';
import type { ArrayModel } from './model.js';
import { costOf } from './read-recipe.js';
import { shownRecipe } from './slice-of-view.js';

export function EstimateLine({ model }: { readonly model: ArrayModel }) {
  const recipe = shownRecipe(model, view.value);
  const { data, error } = useLoad(JSON.stringify(recipe), (signal) => costOf(recipe, signal), 200);
  if (data === undefined || error !== undefined)
    return <p class="note estimate">{error === undefined ? '' : 'No estimate.'}</p>;
  return (
    <p class="note estimate" aria-label="Estimate">
      All values of this part: {shapeText(data.shape)}
      {data.outputBytes !== undefined && `, ${bytesText(data.outputBytes)}`}. {countText(data.chunks)}{' '}
      {data.chunks === 1 ? 'chunk' : 'chunks'}, {bytesText(data.bytes)} decoded.
      {!data.isAllowed &&
        ` Too large for one response (${data.exceeded.join(', ')}); pictures and files still work.`}
    </p>
  );
}
