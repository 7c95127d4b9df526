import { expect, test } from 'vitest';
import { createInlineBudget } from '../../../server/store/filesystem/inline-budget.js';

test('each turn of the event loop has a separate budget', async () => {
  const budget = createInlineBudget(() => 0);
  for (let read = 0; read < 15; read++) {
    expect(budget.state()).toBe('open');
    budget.spend(0.25);
  }
  budget.spend(0.3);
  expect(budget.state()).toBe('later');
  await budget.nextTurn();
  expect(budget.state()).toBe('open');
});

test('slow reads close the budget for half a second', () => {
  let now = 1000;
  const budget = createInlineBudget(() => now);
  budget.spend(6);
  budget.spend(6);
  expect(budget.state()).toBe('closed');
  now += 499;
  expect(budget.state()).toBe('closed');
  now += 1;
  expect(budget.state()).not.toBe('closed');
});

test('a single slow read does not close the budget', () => {
  const budget = createInlineBudget(() => 1000);
  for (let read = 0; read < 50; read++) budget.spend(read === 25 ? 20 : 0.02);
  expect(budget.state()).not.toBe('closed');
});

test('a disk is slow if most reads are slow, for half a second', () => {
  let now = 1000;
  const budget = createInlineBudget(() => now);
  // On a busy processor, some reads are delayed.
  for (let read = 0; read < 50; read++) budget.spend(read % 3 === 0 ? 8 : 0.02);
  expect(budget.isSlow()).toBe(false);
  for (let read = 0; read < 8; read++) budget.spend(8);
  expect(budget.isSlow()).toBe(true);
  now += 500;
  expect(budget.isSlow()).toBe(false);
});
