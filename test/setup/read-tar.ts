/** Reads the archives of test/fixtures/pack.py: ustar format, regular files only. */

export interface TarEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const blockSize = 512;

/** The entries of an archive, in order. Throws for a corrupt header and for entries other than regular files. */
export function* readTar(archive: Uint8Array): Generator<TarEntry> {
  for (let offset = 0; offset + blockSize <= archive.length;) {
    const header = archive.subarray(offset, offset + blockSize);
    if (header.every((byte) => byte === 0)) return;
    if (octal(header, 148, 8) !== checksum(header)) throw new Error(`damaged tar header at byte ${offset}`);
    const name = [text(header, 345, 155), text(header, 0, 100)].filter(Boolean).join('/');
    const type = String.fromCharCode(header[156] ?? 0);
    if (type !== '0') throw new Error(`tar entry "${name}" has the type "${type}", expected a file`);
    const start = offset + blockSize;
    const length = octal(header, 124, 12);
    if (start + length > archive.length) throw new Error(`tar entry "${name}" is truncated`);
    yield { name, bytes: archive.subarray(start, start + length) };
    offset = start + Math.ceil(length / blockSize) * blockSize;
  }
  throw new Error('the tar archive has no end marker');
}

function text(header: Uint8Array, start: number, length: number): string {
  const field = header.subarray(start, start + length);
  const end = field.indexOf(0);
  return new TextDecoder('utf-8', { fatal: true }).decode(end === -1 ? field : field.subarray(0, end));
}

function octal(header: Uint8Array, start: number, length: number): number {
  return Number.parseInt(text(header, start, length).trim(), 8);
}

/** The sum of the header's bytes, with spaces in place of the checksum field. */
function checksum(header: Uint8Array): number {
  return header.reduce((sum, byte, i) => sum + (i >= 148 && i < 156 ? 32 : byte), 0);
}
