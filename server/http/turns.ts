/** Schedules writers of long responses, a few at a time, so that requests are served in between. */

/** Writers resumed per turn of the event loop. */
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
