import type { JsonObject } from 'zarrql-client';

/** Maximum length of a displayed value; longer values are truncated. */
const MAX_TEXT = 600;

export function Attributes({ attributes }: { readonly attributes: JsonObject }) {
  const entries = Object.entries(attributes);
  if (entries.length === 0) return null;
  return (
    <details>
      <summary>
        {entries.length} {entries.length === 1 ? 'attribute' : 'attributes'}
      </summary>
      <dl class="attributes">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{short(typeof value === 'string' ? value : JSON.stringify(value))}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function short(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text;
}
