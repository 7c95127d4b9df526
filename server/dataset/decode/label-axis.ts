/** Creates time axes, which compare dates with labels. */
import { InputError } from '../../zarr/index.js';
import type { DateStyle } from '../calendar/date-text.js';
import { labelSpan } from '../calendar/label-span.js';
import type { TimeAxis } from './decoding.js';

export function labelAxis(style: DateStyle): Pick<TimeAxis, 'calendar' | 'style' | 'tick' | 'span'> {
  const { name } = style.calendar;
  return {
    calendar: name,
    style,
    tick: style.tick,
    span(label) {
      const span = labelSpan(label, style);
      if (span !== undefined) return span;
      throw new InputError(
        `"${label}" is not a date of the calendar ${name}; expected a form such as "2001", "2001-03" or "2001-03-01T12:00"`,
      );
    },
  };
}
