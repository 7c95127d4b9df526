import { useLayoutEffect, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

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
