/** Code, files and links for the visible values. */
import { useState } from 'preact/hooks';
import { requestOf, nameOf } from '../array/recipe.js';
import { axesOf, channelsOf, indexAt, sharedRecipe, shownRecipe } from '../array/slice-of-view.js';
import { client, endpoint, endpointOf, hasGraphiql, loadSchema } from '../gateway/client.js';
import { linksDocument, type LinksVariables } from '../gateway/documents.js';
import { useLoad } from '../gateway/use-load.js';
import { Problem } from '../parts/problem.js';
import { paletteOf } from '../plane/palettes.js';
import { isTakenAsDark, view } from '../state/current.js';
import type { View } from '../state/view.js';
import { chartText } from './chart-text.js';
import { curlText, pythonText, typescriptText } from './code-text.js';
import { graphqlText } from './graphql-text.js';
import { typedText } from './typed-text.js';
import { type ArrayModel, titleOf, unitsOf } from '../array/model.js';
import { shownPlanes } from '../plane/shown.js';
import { describe } from '../plane/value-line.js';
import { composePicture } from './picture.js';

const forms = ['GraphQL', 'Store schema', 'TypeScript', 'Chart', 'curl', 'Python'] as const;
/** Shown instead of a document for the schema of the store. */
const MISSING = '# The schema of the store has no form of this view; use the generic one.\n';
const NO_CHART = '// A chart needs a line or a plane of one value per cell.\n';
type Form = (typeof forms)[number];

export function SharePanel({ model }: { readonly model: ArrayModel }) {
  const [form, setForm] = useState<Form>('GraphQL');
  const recipe = sharedRecipe(model, view.value);
  const schema = useLoad(form === 'Store schema' ? recipe.store : undefined, async (signal) => ({
    sdl: await loadSchema(recipe.store, signal),
  }));
  const typed = schema.data?.sdl === undefined ? undefined : typedText(recipe, schema.data.sdl);
  const text = {
    'Store schema': () => typed ?? (schema.data === undefined ? '' : MISSING),
    GraphQL: () => graphqlText(recipe),
    TypeScript: () => typescriptText(recipe, endpoint),
    Chart: () =>
      channelsOf(model, view.value) === undefined
        ? (chartText(recipe, endpoint, axesOf(model, view.value), titleOf(model)) ?? NO_CHART)
        : NO_CHART,
    curl: () => curlText(recipe, endpoint),
    Python: () => pythonText(recipe, endpoint),
  }[form]();
  return (
    <section class="share" aria-label="Use this view elsewhere">
      <h3>Use this view elsewhere</h3>
      <div class="tabs">
        <div class="tabs" role="tablist" aria-label="Language of the code">
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
        {hasGraphiql && (form === 'GraphQL' || (form === 'Store schema' && typed !== undefined)) && (
          <a
            href={`${form === 'GraphQL' ? endpoint : endpointOf(recipe.store)}?query=${encodeURIComponent(text)}`}
            target="_blank"
            rel="noopener"
          >
            Open in GraphiQL
          </a>
        )}
      </div>
      <pre tabIndex={0} aria-label={`${form} code`}>
        <code>{text}</code>
      </pre>
      {recipe.coarsen !== undefined && (
        <p class="note">Coarsened to blocks because the part is large; files contain all values.</p>
      )}
      {view.value.minus !== undefined && (
        <p class="note">Code and files contain the first array, from which the page subtracts the other.</p>
      )}
      <Problem error={schema.error} retry={schema.retry} />
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

/** Creates links only after a click, because they expire. */
function Files({ model }: { readonly model: ArrayModel }) {
  const variables = linksOf(model, view.value);
  const key = JSON.stringify(variables);
  const [requested, setRequested] = useState<string | undefined>();
  const loaded = useLoad(requested === key ? key : undefined, async (signal) => {
    const { data, errors } = await client.query(linksDocument, variables, { signal });
    const links = data?.slices[0];
    if (links === null || links === undefined) throw errors[0] ?? new Error('the gateway returned no links');
    return links;
  });
  const links = requested === key ? loaded.data : undefined;
  return (
    <p class="files">
      {links === undefined ? (
        <button type="button" onClick={() => setRequested(key)}>
          Links to files
        </button>
      ) : (
        <>
          <FileLink href={links.npy} text="NPY" /> <FileLink href={links.csv} text="CSV" />{' '}
          <FileLink href={links.raw} text="raw bytes" />{' '}
          {links.picture && <FileLink href={links.picture.href} text="PNG" />}
        </>
      )}{' '}
      {variables.hasPicture && (
        <button type="button" onClick={() => void savePicture(model)}>
          Save the picture with title and colours
        </button>
      )}{' '}
      <CopyButton text={location.href} name="Copy link to this page" />
      <Problem error={loaded.error} retry={loaded.retry} />
    </p>
  );
}

/**
 * The arguments of links, with the colours of the page. Unless both ends are set, the gateway uses the range of the
 * attributes, else the 2 % and 98 % quantiles.
 */
function linksOf(model: ArrayModel, { palette, low, high, isLog }: View): LinksVariables {
  return {
    requests: [requestOf(shownRecipe(model, view.value))],
    hasPicture: axesOf(model, view.value).y !== undefined,
    colorMap: { name: paletteOf(palette).toUpperCase() },
    range: low === undefined || high === undefined ? null : { min: low, max: high },
    scale: isLog ? 'LOG' : 'LINEAR',
  };
}

/** A link to a file. Without the option `publicUrl`, the gateway returns only the path. */
function FileLink({ href, text }: { readonly href: string | null; readonly text: string }) {
  if (href === null) return null;
  return (
    <a href={new URL(href, endpoint).href} download>
      {text}
    </a>
  );
}

async function savePicture(model: ArrayModel): Promise<void> {
  const { store, path } = model;
  const canvas = document.querySelector<HTMLCanvasElement>('.plane canvas');
  if (canvas === null) return;
  const { first } = shownPlanes.value;
  const text = { title: first?.title ?? titleOf(model), subtitle: placeText(model), units: unitsOf(model) };
  const palette = first?.plane.channels === undefined ? view.value.palette : undefined;
  const picture = composePicture(canvas, text, first?.scale, palette, isTakenAsDark.value);
  const blob = await new Promise<Blob | null>((resolve) => picture.toBlob(resolve, 'image/png'));
  if (blob === null) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${store}-${nameOf(path) || 'array'}.png`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The store and the array, and the positions and reductions of the dimensions that are not axes. */
function placeText(model: ArrayModel): string {
  const { over } = view.value;
  const { x, y } = axesOf(model, view.value);
  const places = model.dimensions.flatMap((dim) => {
    if (dim.key === x?.key || dim.key === y?.key || dim.size === 1) return [];
    const by = over[dim.key];
    return [
      by === undefined ? describe(dim, indexAt(view.value, dim)) : `${by.toLowerCase()} over ${dim.key}`,
    ];
  });
  return [`${model.store}${model.path}`, ...places].join(', ');
}
