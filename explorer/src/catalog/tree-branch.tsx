import { useState } from 'preact/hooks';
import type { NodeSummary } from 'zarrql-client';
import { useLoad } from '../gateway/use-load.js';
import { NodeLink } from '../node/group-page.js';
import { countText } from '../parts/format.js';
import { Problem } from '../parts/problem.js';
import { view } from '../state/current.js';
import { listMembers } from '../gateway/members.js';

/** Number of members listed at first and added with each click. */
const PAGE = 100;

interface TreeBranchProps {
  readonly store: string;
  readonly path: string;
}

export function TreeBranch({ store, path }: TreeBranchProps) {
  const [shown, setShown] = useState(PAGE);
  const loaded = useLoad(JSON.stringify([store, path, shown]), (signal) =>
    listMembers(store, path, shown, signal),
  );
  const members = loaded.data;
  if (members === undefined) return <Problem error={loaded.error} retry={loaded.retry} />;
  return (
    <>
      {members.nodes.length === 0 && (
        <p class="note">No members listed: the group is empty, or the root of the store has no metadata.</p>
      )}
      <ul>
        {members.nodes.map((node) => (
          <TreeNode key={node.path} store={store} node={node} />
        ))}
      </ul>
      {members.hasMore && (
        <button type="button" onClick={() => setShown(shown + PAGE)}>
          More
        </button>
      )}
      <Problem error={loaded.error} retry={loaded.retry} />
    </>
  );
}

function TreeNode({ store, node }: { readonly store: string; readonly node: NodeSummary }) {
  const now = view.value;
  const isCurrent = now.store === store && now.path === node.path;
  const isAbove = now.store === store && now.path.startsWith(`${node.path}/`);
  const [isOpen, setOpen] = useState(isAbove);
  if (node.kind === 'ARRAY')
    return (
      <li class="leaf" aria-current={isCurrent ? 'page' : undefined}>
        <NodeLink store={store} path={node.path} text={node.name === '' ? store : node.name} />{' '}
        <span class="note">{node.shape.map(countText).join('×')}</span>
      </li>
    );
  return (
    <li aria-current={isCurrent ? 'page' : undefined}>
      <button
        type="button"
        class="twist"
        aria-expanded={isOpen}
        aria-label={`Members of ${node.name}`}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? '▾' : '▸'}
      </button>
      <NodeLink store={store} path={node.path} text={node.name} />
      {isOpen && <TreeBranch store={store} path={node.path} />}
    </li>
  );
}
