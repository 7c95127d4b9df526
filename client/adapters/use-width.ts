import { useEffect, useState } from 'react';

/** The part of the browser's class that is used; undefined on servers. */
declare const ResizeObserver:
  | (new (report: (entries: readonly { readonly contentRect: { readonly width: number } }[]) => void) => {
      observe(element: Element): void;
      disconnect(): void;
    })
  | undefined;

export type ElementRef = (element: Element | null) => void;

/**
 * The width of an element in CSS pixels, rounded; undefined until the first layout. The first width is
 * reported immediately, later ones when the width has been stable for `debounceMs`. A hidden element keeps
 * its last width.
 */
export function useWidth(debounceMs: number): readonly [ref: ElementRef, width: number | undefined] {
  const [element, setElement] = useState<Element | null>(null);
  const [width, setWidth] = useState<number>();
  useEffect(() => {
    if (element === null || typeof ResizeObserver === 'undefined') return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    const observer = new ResizeObserver((entries) => {
      const next = Math.round(entries.at(-1)?.contentRect.width ?? 0);
      if (next < 1) return;
      clearTimeout(timer);
      if (isFirst) setWidth(next);
      else timer = setTimeout(() => setWidth(next), debounceMs);
      isFirst = false;
    });
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [element, debounceMs]);
  return [setElement, width];
}
