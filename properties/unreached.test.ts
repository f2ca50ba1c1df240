import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type AnyStateMachine, StateMachine } from 'xstate';
import { parse } from 'yaml';
import { compile } from '../kernel/compile.ts';
import { namesOf } from '../kernel/coverage-sum.ts';

/** An actor, by its file below `actors/`, and what of it no generated scenario reaches. */
interface Unreached {
  readonly actor: string;
  readonly what: readonly string[];
  readonly why: string;
}

const table: readonly Unreached[] = parse(readFileSync(new URL('unreached.yaml', import.meta.url), 'utf8'));

test.each(table)('what is said to be never reached is still there: $actor', async ({ actor, what, why }) => {
  const module: Record<string, unknown> = await import(
    new URL(`../actors/${actor}.ts`, import.meta.url).href
  );
  const machine = Object.values(module).find((one) => one instanceof StateMachine) as AnyStateMachine;
  const { states, transitions } = compile(machine);

  expect([...states, ...namesOf(transitions)]).toEqual(expect.arrayContaining([...what]));
  expect(why.length).toBeGreaterThan(20);
});
