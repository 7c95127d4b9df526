/** Location of the unpacked fixtures, which test/fixtures/README.md describes. */
import { inject } from 'vitest';

/** The folder of unpacked fixtures, with a trailing slash. */
export const fixtures: string = inject('fixtures');
