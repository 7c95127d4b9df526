/** Number of pictures being loaded; an animation waits for them. */
import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

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
