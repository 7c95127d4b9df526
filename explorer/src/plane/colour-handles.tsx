import { useRef } from 'preact/hooks';
import { shortNumber } from '../parts/format.js';
import { fractionOf, type Scale, valueAt } from './scale.js';

interface HandlesProps {
  /** Values at the ends of the bar. */
  readonly ends: Scale;
  readonly scale: Scale;
  readonly setEnd: (which: 'low' | 'high', value: number) => void;
}

export function ColourHandles({ ends, scale, setEnd }: HandlesProps) {
  const set = (which: 'low' | 'high', fraction: number) => {
    const inside = Math.min(1, Math.max(0, fraction));
    setEnd(which, Number(valueAt(ends, inside).toPrecision(6)));
  };
  return (
    <>
      {(['low', 'high'] as const).map((which) => (
        <Handle
          key={which}
          name={which === 'low' ? 'Lower end of the colours' : 'Upper end of the colours'}
          ends={ends}
          value={scale[which]}
          set={(fraction) => set(which, fraction)}
        />
      ))}
    </>
  );
}

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -0.01,
  ArrowDown: -0.01,
  ArrowRight: 0.01,
  ArrowUp: 0.01,
  PageDown: -0.1,
  PageUp: 0.1,
  Home: -1,
  End: 1,
};

interface HandleProps {
  readonly name: string;
  readonly ends: Scale;
  readonly value: number;
  /** Receives the position on the bar, which may be outside 0 to 1. */
  readonly set: (fraction: number) => void;
}

function Handle({ name, ends, value, set }: HandleProps) {
  const handle = useRef<HTMLDivElement>(null);
  const fraction = Math.min(1, Math.max(0, fractionOf(ends, value)));
  return (
    <div
      ref={handle}
      class="handle"
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={ends.low}
      aria-valuemax={ends.high}
      aria-valuenow={value}
      aria-valuetext={shortNumber(value)}
      style={{ left: `${fraction * 100}%` }}
      onPointerDown={(event) => handle.current?.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        const bar = handle.current?.parentElement?.getBoundingClientRect();
        if (bar === undefined || handle.current?.hasPointerCapture(event.pointerId) !== true) return;
        set((event.clientX - bar.left) / bar.width);
      }}
      onKeyDown={(event) => {
        const step = steps[event.key];
        if (step === undefined) return;
        event.preventDefault();
        set(fraction + step);
      }}
    />
  );
}
