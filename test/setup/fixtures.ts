/** Where the fixtures lie once unpacked (test/fixtures/README.md says what they are). */
import { inject } from 'vitest';

/** The folder of unpacked fixtures, with a slash at its end. */
export const fixtures: string = inject('fixtures');
