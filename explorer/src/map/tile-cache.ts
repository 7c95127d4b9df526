/** Tiles of one set of links, loaded on first use and kept for zooming back. */

export interface TileAddress {
  readonly zoom: number;
  readonly column: number;
  readonly row: number;
}

export interface TileCache {
  /** The picture of a tile, undefined until it is loaded. `onChange` is called when it is loaded or has failed. */
  get(address: TileAddress): HTMLImageElement | undefined;
  /** The picture if it is loaded; requests nothing. */
  peek(address: TileAddress): HTMLImageElement | undefined;
  readonly pending: number;
  readonly failed: number;
  close(): void;
}

/** Tiles above which loaded pictures are evicted, about 1 MiB each on dense screens. */
const MAX_TILES = 200;

/** @param template the URL of a tile with `{z}`, `{x}` and `{y}` */
export function createTileCache(template: string, onChange: () => void): TileCache {
  const tiles = new Map<string, { readonly image: HTMLImageElement; isReady: boolean }>();
  let [pending, failed, isClosed] = [0, 0, false];
  const keyOf = ({ zoom, column, row }: TileAddress) => `${zoom}/${column}/${row}`;

  function start(key: string, { zoom, column, row }: TileAddress): void {
    const image = new Image();
    const tile = { image, isReady: false };
    tiles.set(key, tile);
    pending += 1;
    const end = (isReady: boolean) => {
      if (isClosed) return;
      pending -= 1;
      tile.isReady = isReady;
      if (!isReady) failed += 1;
      onChange();
    };
    image.addEventListener('load', () => end(true));
    image.addEventListener('error', () => end(false));
    image.src = template
      .replace('{z}', String(zoom))
      .replace('{x}', String(column))
      .replace('{y}', String(row));
  }

  function peek(address: TileAddress): HTMLImageElement | undefined {
    const tile = tiles.get(keyOf(address));
    return tile?.isReady === true ? tile.image : undefined;
  }

  return {
    get(address) {
      const key = keyOf(address);
      const known = tiles.get(key);
      if (known === undefined) {
        start(key, address);
        // Evicts the least recently used tiles that are loaded.
        for (const [oldest, { isReady }] of tiles) {
          if (tiles.size <= MAX_TILES) break;
          if (isReady) tiles.delete(oldest);
        }
        return undefined;
      }
      // Moves the tile to the end of the order of eviction.
      tiles.delete(key);
      tiles.set(key, known);
      return known.isReady ? known.image : undefined;
    },
    peek,
    get pending() {
      return pending;
    },
    get failed() {
      return failed;
    },
    close() {
      isClosed = true;
      // Aborts the tiles that are still loading.
      for (const { image, isReady } of tiles.values()) if (!isReady) image.src = '';
      tiles.clear();
    },
  };
}
