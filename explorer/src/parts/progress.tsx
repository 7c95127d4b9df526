import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useState, useLayoutEffect } from 'preact/hooks';

interface ProgressProps {
  /** When the request started; undefined if none is running. */
  readonly since: number | undefined;
  readonly what: string;
  readonly cancel: () => void;
}

/** The progress bar appears after this time in ms. */
const SHOWN_AFTER_MS = 300;

/** Shows a progress bar while a request is running, with the elapsed time and a stop button. */
export function Progress({ since, what, cancel }: ProgressProps) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    if (since === undefined) return undefined;
    const timer = setInterval(() => setNow(performance.now()), 200);
    return () => clearInterval(timer);
  }, [since]);
  if (since === undefined || now - since < SHOWN_AFTER_MS) return null;
  return (
    <div class="progress">
      <progress aria-label={what} />
      <span>
        {what}, {((now - since) / 1000).toFixed(1)} s
      </span>
      <button type="button" onClick={cancel}>
        Stop
      </button>
    </div>
  );
}

/** Number of pictures being loaded; an animation waits for them. */
export const busyPictures = signal(0);

export function useBusy(isBusy: boolean): void {
  useLayoutEffect(() => {
    if (!isBusy) return undefined;
    busyPictures.value += 1;
    return () => {
      busyPictures.value -= 1;
    };
  }, [isBusy]);
}

/** Width of an element in CSS pixels, known before the first paint, so that the layout does not shift. */
export function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}
