import { expect, test } from 'vitest';
import { singleStates } from './single-states.ts';
import { isTwin, stateMachineRows } from './state-machines.ts';

const rows = await stateMachineRows();

test('the table has all state machines, with what a diagram shows of them and what it does not', () => {
  const of = (name: string) => rows.find((row) => row.name === name)!;

  expect(of('sunway/memory/fast/memory-ctrl')).toMatchObject({ family: 'sunway', states: 1 });
  // What builds a part of the states object counts as inside.
  expect(of('sunway/engine/tbox').inside).toBeGreaterThan(100);
  expect(of('sunway/engine/transfer')).toMatchObject({ states: 20 });
  for (const { name, inside, file } of rows) expect(inside ?? 0, name).toBeLessThan(file);
});

test('reasons for a single state are of state machines that have one', () => {
  const single = rows.filter(({ states, name }) => states <= 1 && !isTwin(name));

  expect(single.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(singleStates)));
});
