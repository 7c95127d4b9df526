/** Links to files of several slices with their coordinates, and what following them needs. */
import { REQUEST_BYTES } from '../../memory/sizes.js';
import { bytesOfFile } from '../../memory/needs.js';
import { requestTooLarge } from '../../memory/busy-error.js';
import type { LabelledSet } from '../../transport/labelled-set.js';
import { setForm, type SetFormat } from '../../transport/sets/set-forms.js';
import type { SetFile, SetOptions } from '../../transport/sets/set-form.js';
import { exceededOf, LimitError, sizeOf } from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type { GatewayLimits } from '../limits.js';
import { assertMayDownload, downloadBytes, fileNameOfSet, linkToSet } from './href.js';
import type { NamedModel } from './labelled-set.js';
import { setClaims } from './set-claims.js';

/** Memory of one label in bytes: its block, its copy in a column, and its value in a dictionary. */
const LABEL_BYTES = 64;

/**
 * Checks the limits of a file.
 * @returns the planned cost in bytes, and the memory to reserve
 * @throws LimitError if the download exceeds a limit
 */
export function setNeed(
  { variables, coordinates }: LabelledSet,
  { ownBytes }: Pick<SetFile, 'ownBytes'>,
  limits: GatewayLimits,
): { readonly readBytes: number; readonly memoryBytes: number } {
  let [readBytes, memoryBytes] = [0, ownBytes];
  for (const { slice } of [...variables, ...coordinates]) {
    assertMayDownload(slice, {}, limits);
    readBytes += downloadBytes(slice, {}, limits);
  }
  for (const { slice } of variables) memoryBytes += bytesOfFile(slice, {});
  for (const { slice } of coordinates) memoryBytes += LABEL_BYTES * sizeOf(slice.shape);
  const allowed = limits.maxHrefBytes + limits.maxDecodedBytes;
  const excess = exceededOf([{ limit: 'maxHrefBytes', allowed, needed: readBytes }]);
  const [first] = excess;
  if (first !== undefined)
    throw new LimitError(
      `the download is too large: ${first.limit} allows ${allowed} bytes, but ${readBytes} are needed; select fewer elements or variables`,
      { excess },
    );
  return { readBytes, memoryBytes };
}

/**
 * Creates a link to a file of variables. Reads at most what determines the decoding of coordinates.
 * @throws errors from `hrefOf`, and from the form
 */
export async function hrefOfSet(
  models: readonly NamedModel[],
  format: SetFormat,
  { rows }: { readonly rows?: readonly string[] | null | undefined },
  context: GatewayContext,
): Promise<string> {
  const form = setForm(format);
  const { set, claims } = await setClaims(models, context);
  const options: SetOptions = rows === undefined || rows === null ? {} : { rows };
  const file = form.open(set, options);
  const { limits, memory, hrefs } = context.gateway;
  const needed = REQUEST_BYTES + context.budget.preparedBytes() + setNeed(set, file, limits).memoryBytes;
  if (needed > memory.maxRequestBytes) throw requestTooLarge(memory.maxRequestBytes, needed);
  return linkToSet(
    { format, ...options, ...claims },
    fileNameOfSet(claims.slices, form),
    models[0]?.model.slice.where ?? {},
    hrefs,
  );
}
