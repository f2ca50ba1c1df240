import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { type AnyStateMachine, StateMachine } from 'xstate';
import { parse } from 'yaml';
import { compile } from '../kernel/compile.ts';
import { namesOf } from '../kernel/coverage-sum.ts';

/** An actor, by its file below `actors/`, and what of it no generated scenario reaches. */
interface Unreached {
  readonly actor: string;
  readonly what?: readonly string[];
  /** Guards that are never true, or never false. */
  readonly guards?: readonly string[];
  /** Events that are refused in a state, as `state: event`. */
  readonly refused?: readonly string[];
  readonly why: string;
}

/** Names of the tests of machines, of which a reason may say that they get there. */
const testFiles = ['actors', 'properties'].flatMap((folder) =>
  readdirSync(new URL(`../${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' }).map((path) =>
    basename(path),
  ),
);

const table: readonly Unreached[] = parse(readFileSync(new URL('unreached.yaml', import.meta.url), 'utf8'));

test.each(table)(
  'what is said to be never reached is still there: $actor',
  async ({ actor, what = [], guards = [], refused = [], why }) => {
    const module: Record<string, unknown> = await import(
      new URL(`../actors/${actor}.ts`, import.meta.url).href
    );
    const machine = Object.values(module).find((one) => one instanceof StateMachine) as AnyStateMachine;
    const { states, transitions } = compile(machine);
    const known = namesOf(transitions);

    expect([...states, ...known]).toEqual(expect.arrayContaining([...what]));
    expect(known.filter((name) => name.includes('['))).toEqual(expect.arrayContaining([...guards]));
    expect(known.filter((_, k) => transitions[k]!.refuses)).toEqual(expect.arrayContaining([...refused]));
    expect(what.length + guards.length + refused.length).toBeGreaterThan(0);
    expect(why.length).toBeGreaterThan(20);
    for (const [named] of why.matchAll(/[\w-]+\.test\.ts/g)) expect(testFiles, named).toContain(named);
  },
);
