/** Turns of those who send long answers: a few at a time, so that requests are served in between, however many send. */

/** Pieces that are handed to sockets between two looks at what else there is to do. */
const PER_TURN = 4;

let waiting: (() => void)[] = [];

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(serve);
  });
}

function serve(): void {
  const [now, later] = [waiting.slice(0, PER_TURN), waiting.slice(PER_TURN)];
  waiting = later;
  for (const resume of now) resume();
  if (later.length > 0) setImmediate(serve);
}
