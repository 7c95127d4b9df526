/** Measures what has a goal, and prints it beside the goal. */
import { benchEngines } from '../engine/run.mjs';
import { benchGateways } from '../gateway/run.mjs';
import { figure, saveResults, table } from '../report.mjs';
import { benchStores } from '../stores/run.mjs';
import { goals, needed } from './goals.mjs';

export async function benchGoals({ json, rounds, seconds }) {
  const { engines, codecs, remoteCodecs, servers, scenarios, clients } = needed;
  const rows = {
    gateway: await benchGateways({ rounds, seconds, servers, scenarios, clients }),
    engine: await benchEngines({
      rounds,
      engines,
      codecs,
      ops: ['full', 'elem', 'slices', 'plane', 'write'],
    }),
    stores: await benchStores({ rounds, engines, codecs: remoteCodecs }),
  };
  const lines = goals.map((goal) => ({ ...goal, measured: goal.measured(rows) }));
  console.log(`\n**Goals** (figures that miss theirs are marked)\n\n${goalsTable(lines)}`);
  console.log(`\nAll figures: ${saveResults('goals', { rounds, seconds, json }, lines)}`);
}

function goalsTable(lines) {
  return table(
    ['', 'of', 'measured', 'goal'],
    lines.map(({ title, columns, wanted, measured, isAtLeast }) => [
      title,
      columns.join(', '),
      measured.map((value, i) => cell(value, isAtLeast ? value >= wanted[i] : value <= wanted[i])).join(', '),
      `${isAtLeast ? 'at least' : 'at most'} ${shortList(wanted)}`,
    ]),
  );
}

/** Equal figures once. */
function shortList(figures) {
  return new Set(figures).size === 1 ? figures[0] : figures.join(', ');
}

function cell(value, isMet) {
  if (value === undefined) return 'failed';
  return isMet ? figure(value) : `**${figure(value)}**`;
}
