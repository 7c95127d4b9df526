/** Loads the chart library when the first line is shown. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ArrayModel, Dimension } from '../array/model.js';
import { Problem } from '../parts/problem.js';

interface LineProps {
  readonly model: ArrayModel;
  readonly along: Dimension;
}

let known: ComponentType<LineProps> | undefined;

export function LazyLineView(props: LineProps) {
  const [, setReady] = useState(known !== undefined);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (known !== undefined) return;
    repairLanguage();
    import('./line-view.js').then(({ LineView }) => {
      known = LineView;
      setReady(true);
    }, setError);
  }, []);
  if (known === undefined) return <Problem error={error} />;
  const Line = known;
  return <Line {...props} />;
}

/**
 * Replaces a language that is no valid tag, such as the `en-US@posix` of browsers without a locale: the chart library
 * passes it to Intl, which throws.
 */
function repairLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
  }
}
