/** Saves the heat map as a PNG file. */
import type { ArrayModel } from '../array/model.js';
import { nameOf } from '../array/recipe.js';

export async function savePicture({ store, path }: ArrayModel): Promise<void> {
  const canvas = document.querySelector<HTMLCanvasElement>('.plane canvas');
  if (canvas === null) return;
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${store}-${nameOf(path) || 'array'}.png`;
  link.click();
  URL.revokeObjectURL(link.href);
}
