/** The explorer draws with the colours of the gateway's pictures. */
import { expect, test } from 'vitest';
import { colourTable, palettes } from '../../../explorer/src/plane/palettes.js';
import { checkColourMap, COLOURS, paletteOf } from '../../../server/pictures/palette.js';

test('the explorer offers the colour maps of the gateway', () => {
  expect(palettes).toContain('viridis');
  // The gateway's message lists its names.
  expect(() => checkColourMap({ name: '?' })).toThrow(`the colour maps are ${palettes.join(', ')}`);
});

test.each(palettes)('%s has the same colours in the explorer and in the pictures of the gateway', (name) => {
  const bytes = new Uint8Array(colourTable(name).buffer);
  expect(bytes.length).toBe(4 * COLOURS);
  expect(bytes).toEqual(paletteOf(checkColourMap({ name })));
});
