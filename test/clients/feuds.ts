/** Pairs of queries that select different fields of the same objects, with and without ids. */
const array = (fields: string) => `{ store(name: "coads") { array(path: "SST") { ${fields} } } }`;
const dataset = (fields: string) => `{ store(name: "coads") { dataset { ${fields} } } }`;

export const feuds: readonly (readonly [string, string])[] = [
  [dataset('variables { name }'), dataset('variables { units }')],
  [dataset('id variables { id name }'), dataset('id variables { id units }')],
  [dataset('id variables { id name }'), dataset('variables { name units }')],
  [dataset('dimensions { name }'), dataset('dimensions { size coordinate { name } }')],
  [array('id dtype { name }'), array('id dtype { kind }')],
  [array('dimensions { name }'), array('dimensions { size }')],
  [array('slice(select: { text: "0, 40" }) { shape }'), array('slice(select: { text: "0, 40" }) { size }')],
  [
    '{ slices(requests: [{ store: "coads", path: "/SST" }]) { shape } }',
    '{ slices(requests: [{ store: "coads", path: "/SST" }]) { size dimensions { name } } }',
  ],
  [
    '{ store(name: "coads") { search(first: 3) { nodes { name } } } }',
    '{ store(name: "coads") { search(first: 3) { edges { cursor node { path } } } } }',
  ],
  ['{ stores { nodes { name } } }', '{ stores { nodes { kind } } }'],
];
