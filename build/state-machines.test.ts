import { expect, test } from 'vitest';
import { allActors } from '../cli/actor-files.ts';
import { compile } from '../kernel/compile.ts';
import { singleStates } from './single-states.ts';
import { isTwin, stateMachineRows } from './state-machines.ts';

test('the table has the state machines of a family, with what a diagram shows of them and what it does not', async () => {
  const rows = await stateMachineRows('sunway');
  const of = (name: string) => rows.find((row) => row.name === name)!;

  expect(of('sunway/memory/fast/memory-ctrl')).toMatchObject({ family: 'sunway', states: 1 });
  // What builds a part of the states object counts as inside.
  expect(of('sunway/engine/tbox').inside).toBeGreaterThan(100);
  expect(of('sunway/engine/transfer')).toMatchObject({ states: 20 });
  for (const { name, inside, file } of rows) expect(inside ?? 0, name).toBeLessThan(file);
});

test('each state machine with a single state has its reason, and no other has one', async () => {
  const single = (await allActors())
    .filter(({ name, machine }) => !isTwin(name) && compile(machine).states.length <= 1)
    .map(({ name }) => name);

  expect(single.toSorted()).toEqual(Object.keys(singleStates).toSorted());
});
