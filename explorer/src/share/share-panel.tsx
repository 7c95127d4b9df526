/** What is shown, to take along: code, files and links. */
import { useState } from 'preact/hooks';
import type { ArrayModel } from '../array/model.js';
import { requestOf } from '../array/recipe.js';
import { shownRecipe } from '../array/slice-of-view.js';
import { client, endpoint, hasGraphiql } from '../gateway/client.js';
import { linksDocument } from '../gateway/documents.js';
import { useLoad } from '../gateway/use-load.js';
import { Problem } from '../parts/problem.js';
import { view } from '../state/current.js';
import { curlText, pythonText, typescriptText } from './code-text.js';
import { graphqlText } from './graphql-text.js';
import { pictureUrl } from './picture.js';

const forms = ['GraphQL', 'TypeScript', 'curl', 'Python'] as const;
type Form = (typeof forms)[number];

export function SharePanel({ model }: { readonly model: ArrayModel }) {
  const [form, setForm] = useState<Form>('GraphQL');
  const recipe = shownRecipe(model, view.value);
  const text = {
    GraphQL: () => graphqlText(recipe),
    TypeScript: () => typescriptText(recipe, endpoint),
    curl: () => curlText(recipe, endpoint),
    Python: () => pythonText(recipe, endpoint),
  }[form]();
  return (
    <section class="share" aria-label="Take it with you">
      <h3>Take it with you</h3>
      <div class="tabs">
        <div class="tabs" role="tablist" aria-label="Form of the code">
          {forms.map((name) => (
            <button
              type="button"
              role="tab"
              key={name}
              aria-selected={name === form}
              onClick={() => setForm(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <CopyButton text={text} />
        {form === 'GraphQL' && hasGraphiql && (
          <a href={`graphql?query=${encodeURIComponent(text)}`} target="_blank" rel="noopener">
            Open in GraphiQL
          </a>
        )}
      </div>
      <pre tabIndex={0} aria-label={`${form} code`}>
        <code>{text}</code>
      </pre>
      <Files model={model} />
    </section>
  );
}

function CopyButton({ text, name = 'Copy' }: { readonly text: string; readonly name?: string }) {
  const [copied, setCopied] = useState<string | undefined>();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied('Copied');
    } catch {
      setCopied('Select the text and copy it');
    }
    setTimeout(() => setCopied(undefined), 2000);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {copied ?? name}
    </button>
  );
}

/** Links are made when they are asked for, since they expire. */
function Files({ model }: { readonly model: ArrayModel }) {
  const recipe = shownRecipe(model, view.value);
  const key = JSON.stringify(requestOf(recipe));
  const [asked, setAsked] = useState<string | undefined>();
  const loaded = useLoad(asked === key ? key : undefined, async (signal) => {
    const { data, errors } = await client.query(linksDocument, { requests: [requestOf(recipe)] }, { signal });
    const links = data?.slices[0];
    if (links === null || links === undefined) throw errors[0] ?? new Error('the gateway gave no links');
    return links;
  });
  const links = asked === key ? loaded.data : undefined;
  const picture = view.value.y === undefined && view.value.x !== undefined ? undefined : pictureUrl;
  return (
    <p class="files">
      {links === undefined ? (
        <button type="button" onClick={() => setAsked(key)}>
          Links to files
        </button>
      ) : (
        <>
          <FileLink href={links.npy} text="NPY" /> <FileLink href={links.csv} text="CSV" />{' '}
          <FileLink href={links.raw} text="raw bytes" />
        </>
      )}{' '}
      {picture !== undefined && (
        <button type="button" onClick={() => void picture(model)}>
          Save picture
        </button>
      )}{' '}
      <CopyButton text={location.href} name="Copy link to this page" />
      <Problem error={loaded.error} retry={loaded.retry} />
    </p>
  );
}

/** Links are relative to the endpoint. */
function FileLink({ href, text }: { readonly href: string | null; readonly text: string }) {
  if (href === null) return null;
  return (
    <a href={new URL(href, endpoint).href} download>
      {text}
    </a>
  );
}
