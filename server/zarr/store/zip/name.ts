/** Names in zip archives: UTF-8 if the flag is set, else in the encoding of the writer's system. */
import { decodeUtf8 } from '../../bytes/text.js';

// Code page 437 from 0x80, the specified encoding of entries without the UTF-8 flag.
const CODE_PAGE437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀' +
  'αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/**
 * The name in `bytes` from `start` to `end`; undefined if it is declared as UTF-8 but invalid. Without the
 * flag, UTF-8 is tried first, because most writers on Unix use it.
 */
export function decodeName(
  bytes: Uint8Array,
  start: number,
  end: number,
  isUtf8: boolean,
): string | undefined {
  try {
    return decodeUtf8(bytes, start, end);
  } catch {
    if (isUtf8) return undefined;
    return Array.from(bytes.subarray(start, end), (byte) =>
      byte < 0x80 ? String.fromCharCode(byte) : (CODE_PAGE437[byte - 0x80] ?? ''),
    ).join('');
  }
}
