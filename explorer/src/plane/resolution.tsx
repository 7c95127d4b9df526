/**
 * Shows how a heat map relates to the values of the array, and requires confirmation of an expensive read.
 */
import { bytesText } from '../parts/format.js';
import { change, view } from '../state/current.js';
import type { LargeReadError, LoadedPlane } from './load-plane.js';

export function Resolution({ plane }: { readonly plane: LoadedPlane | undefined }) {
  if (plane === undefined) return <p class="note">&nbsp;</p>;
  if (plane.isExact) return <p class="note">Each value is drawn.</p>;
  const block = `${Math.round((plane.spanX[1] - plane.spanX[0]) / plane.columns)} × ${Math.round((plane.spanY[1] - plane.spanY[0]) / plane.rows)}`;
  if (plane.level !== undefined)
    return <p class="note">Level {plane.level.path}; zoom in for a finer resolution.</p>;
  return (
    <p class="note">
      A pixel {plane.method === 'NEAREST' ? 'samples' : 'combines'} about {block} values; zoom in for each.
      {plane.method === 'NEAREST' && view.value.method === undefined && (
        <>
          {' '}
          <button type="button" class="link" onClick={() => change({ method: 'MEAN' })}>
            Average all values
          </button>
        </>
      )}
    </p>
  );
}

export function LargeRead({ error, agree }: { readonly error: LargeReadError; readonly agree: () => void }) {
  const { cost } = error;
  if (!cost.isAllowed)
    return (
      <div class="problem" role="alert">
        <p>
          <strong>LIMIT_EXCEEDED</strong> {cost.exceeded.join(', ')}
        </p>
        <p>Zoom in, or raise the limit of the gateway.</p>
      </div>
    );
  return (
    <div class="problem mild" role="alert">
      <p>
        {error.message} It decodes {bytesText(cost.bytes)}.
      </p>
      <button type="button" onClick={agree}>
        Read {bytesText(cost.bytes)}
      </button>
    </div>
  );
}
