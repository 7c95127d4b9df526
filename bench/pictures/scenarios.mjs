/** The pictures to draw. */

/** Tiles at the zoom level whose pixels have the size of cells, each in different chunks, and maps of the world. */
const rows = [3, 4, 5, 6, 9, 10, 11, 12];
const tiles = rows.flatMap((y, i) => [2, 6, 10, 14].map((x) => ({ month: i, tile: { z: 4, x, y } })));
const worlds = [4, 5, 6, 7, 8, 9, 10, 11].map((month) => ({ month }));

export const scenarios = {
  tile: { title: 'Tile of 256x256', width: 256, height: 256, warmUp: 8, places: tiles },
  picture: { title: 'Picture of 1024x512', width: 1024, height: 512, warmUp: 2, places: worlds },
};
