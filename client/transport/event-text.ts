/** The event stream format (HTML Living Standard, 9.2.6). */

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Comments and unknown fields are passed over; an event that is cut off is none. */
export async function* parseEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent, void> {
  const decoder = new TextDecoder();
  let text = '';
  let name = '';
  let data: string[] = [];
  for await (const piece of pieces) {
    text += decoder.decode(piece, { stream: true });
    // A CR at the end may be the first half of a CRLF.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    text = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (name !== '' || data.length > 0)
          yield { name: name === '' ? 'message' : name, data: data.join('\n') };
        name = '';
        data = [];
        continue;
      }
      const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'event') name = value;
      if (field === 'data') data.push(value);
    }
  }
}
