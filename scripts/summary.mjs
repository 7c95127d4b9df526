// Summarises a vitest JSON report as machine-readable text: the names of failed tests, then "N passed, N
// failed" as the last line. node scripts/summary.mjs REPORT CHECK_EXIT_CODE TEST_EXIT_CODE
import { existsSync, readFileSync } from 'node:fs';

const [path, checked, tested] = process.argv.slice(2);
const report = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { testResults: [] };

const failures = [];
let passed = 0;
let skipped = 0;
for (const file of report.testResults) {
  for (const test of file.assertionResults) {
    if (test.status === 'passed') passed += 1;
    else if (test.status === 'failed') failures.push(`${file.name}: ${test.fullName}`);
    else skipped += 1;
  }
  // A file that failed to load reports no tests.
  if (file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'))
    failures.push(`${file.name}: ${file.message?.split('\n')[0] ?? 'could not be run'}`);
}
if (Number(tested) !== 0 && failures.length === 0) failures.push(`npm test ended with exit code ${tested}`);
if (Number(checked) !== 0) failures.push(`npm run check ended with exit code ${checked}`);

for (const failure of failures) console.log(`failed: ${failure}`);
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${failures.length} failed`);
