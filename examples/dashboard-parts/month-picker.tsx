interface MonthPickerProps {
  readonly month: number;
  readonly onChange: (month: number) => void;
}

/** Selects a month, from 0. */
export function MonthPicker({ month, onChange }: MonthPickerProps) {
  return (
    <label>
      Month {month + 1} of 12
      <input
        type="range"
        min={0}
        max={11}
        value={month}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </label>
  );
}
