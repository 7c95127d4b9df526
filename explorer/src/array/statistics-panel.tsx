import { useState } from 'preact/hooks';
import type { Statistic } from 'zarrql-client/analysis';
import { useLoad } from '../gateway/use-load.js';
import { bytesText, countText, shortNumber } from '../parts/format.js';
import { Problem } from '../parts/problem.js';
import { Progress } from '../parts/progress.js';
import { view } from '../state/current.js';
import { liveVersion } from './live.js';
import { lazyOf } from './read-recipe.js';
import { type ArrayModel, unitsOf } from './model.js';
import { shownRecipe } from './slice-of-view.js';

/** Statistics of values of more bytes than this are computed only after a click. */
const MAX_AUTOMATIC_BYTES = 64 * 2 ** 20;

export function StatisticsPanel({ model }: { readonly model: ArrayModel }) {
  const recipe = shownRecipe(model, view.value);
  const key = JSON.stringify([recipe, liveVersion.value]);
  const [requested, setRequested] = useState<string | undefined>();
  const bytes = recipe.dims.reduce((product, { pick }, d) => {
    const size = model.dimensions[d]?.size ?? 1;
    return product * (pick === 'all' ? size : 'index' in pick ? 1 : pick.span[1] - pick.span[0]);
  }, model.info.dtype.itemSize ?? 8);
  const isWanted = bytes <= MAX_AUTOMATIC_BYTES || requested === key;
  const loaded = useLoad(
    isWanted ? key : undefined,
    (signal) => lazyOf(recipe).statistics({ quantiles: [0.02, 0.5, 0.98], signal }),
    300,
  );
  const { data } = loaded;
  return (
    <section class="statistics" aria-label="Statistics">
      <h3>Statistics of this part {unitsOf(model) !== '' && <span class="units">{unitsOf(model)}</span>}</h3>
      {!isWanted && (
        <button type="button" onClick={() => setRequested(key)}>
          Compute from all values ({bytesText(bytes)})
        </button>
      )}
      <Progress since={loaded.since} what="Computing statistics" cancel={loaded.cancel} />
      <Problem error={loaded.error} retry={loaded.retry} />
      {isWanted && data !== undefined && (
        <dl>
          <Entry name="values" value={countText(data.count)} />
          <Entry name="missing" value={countText(data.missing)} />
          <Entry name="minimum" value={text(data.min)} />
          <Entry name="2 %" value={text(data.quantiles[0])} />
          <Entry name="median" value={text(data.quantiles[1])} />
          <Entry name="mean" value={text(data.mean)} />
          <Entry name="98 %" value={text(data.quantiles[2])} />
          <Entry name="maximum" value={text(data.max)} />
          <Entry name="std. deviation" value={text(data.std)} />
        </dl>
      )}
    </section>
  );
}

function text(value: Statistic | undefined): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'number'
    ? shortNumber(value)
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
}

function Entry({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
