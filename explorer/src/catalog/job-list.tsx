/** The jobs of the gateway with their progress. Shown only if there are any. */
import { useEffect, useState } from 'preact/hooks';
import type { JobInfo } from 'zarrql-client';
import { client } from '../gateway/client.js';
import { useLoad } from '../gateway/use-load.js';
import { NodeLink } from '../node/group-page.js';
import { Problem } from '../parts/problem.js';

const MAX_JOBS = 20;
/** Time between two requests while a job waits or runs, in ms. */
const REFRESH_MS = 2000;

export function JobList() {
  const [version, setVersion] = useState(0);
  const [problem, setProblem] = useState<unknown>();
  const { data } = useLoad(`jobs ${version}`, (signal) => client.jobs.list({ first: MAX_JOBS, signal }));
  const isActive = data?.some(isUnfinished) === true;
  useEffect(() => {
    if (!isActive) return undefined;
    const timer = setTimeout(() => setVersion(version + 1), REFRESH_MS);
    return () => clearTimeout(timer);
  }, [isActive, version]);
  // Gateways without jobs, and callers without the right to see them, have an empty list.
  if (data === undefined || data.length === 0) return null;
  const cancel = (id: string): void => {
    client.jobs.cancel(id).then(() => setVersion(version + 1), setProblem);
  };
  return (
    <section aria-label="Jobs">
      <h2>Jobs</h2>
      {problem !== undefined && <Problem error={problem} retry={() => setProblem(undefined)} />}
      <ul>
        {data.map((job) => (
          <li key={job.id}>
            <Job job={job} cancel={() => cancel(job.id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Job({ job, cancel }: { readonly job: JobInfo; readonly cancel: () => void }) {
  const { kind, state, source, destination, tasks, done, error, failures, broken } = job;
  const problems = failures.length + broken.length;
  return (
    <>
      {kind.toLowerCase()} <Place place={source} />
      {source !== null && destination !== null && ' to '}
      <Place place={destination} />:{' '}
      {isUnfinished(job) ? (
        <>
          <progress
            value={done}
            max={Math.max(1, tasks)}
            aria-label={`${kind.toLowerCase()}: ${done} of ${tasks} tasks`}
          />{' '}
          {state.toLowerCase()}, {done} of {tasks} tasks{remainingText(job)}{' '}
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        </>
      ) : (
        state.toLowerCase()
      )}
      {error !== null && <span class="note"> {error.message}</span>}
      {problems > 0 && (
        <span class="note">
          {' '}
          {problems} failures, first: {(broken[0] ?? failures[0])?.message}
        </span>
      )}
    </>
  );
}

function Place({ place }: { readonly place: JobInfo['source'] }) {
  if (place === null) return null;
  return <NodeLink store={place.store} path={place.path} text={`${place.store}${place.path}`} />;
}

function isUnfinished({ state }: JobInfo): boolean {
  return state === 'QUEUED' || state === 'RUNNING';
}

function remainingText({ remainingSeconds }: JobInfo): string {
  if (remainingSeconds === null) return '';
  const seconds = Math.ceil(remainingSeconds);
  return seconds < 120 ? `, ${seconds} s left` : `, ${Math.ceil(seconds / 60)} min left`;
}
