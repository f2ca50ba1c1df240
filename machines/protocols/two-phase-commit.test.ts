import { describe, expect, test } from 'vitest';
import type { DecodedState } from '../../kernel/explore/decode.ts';
import { Explorer } from '../../kernel/explore/explorer.ts';
import type { Wiring } from '../../kernel/wiring.ts';
import { statesByBruteForce } from './testing/by-brute-force.ts';
import { twoPhaseCommit } from './two-phase-commit.ts';

const wired = (resourceManagers: number): Wiring =>
  twoPhaseCommit.assemble({
    name: 'two-phase commit',
    config: { resourceManagers },
    programs: [],
    mutants: [],
    scheduled: true,
  }).wiring;

/** A state of the module TwoPhase. */
interface Classical {
  readonly rmState: readonly string[];
  readonly tmState: string;
  readonly tmPrepared: readonly number[];
  readonly msgs: readonly string[];
}

/** The actions of the module that are enabled in a state, in its order, and where they lead. */
function* actions(state: Classical): Generator<Classical> {
  const { rmState, tmState, tmPrepared, msgs } = state;
  const rms = rmState.map((_, rm) => rm);
  const rmTo = (rm: number, to: string) => rmState.with(rm, to);
  const set = <T extends number | string>(all: readonly T[], one: T) => [...new Set([...all, one])].sort();
  if (tmState === 'init' && tmPrepared.length === rms.length)
    yield { ...state, tmState: 'committed', msgs: set(msgs, 'Commit') };
  if (tmState === 'init') yield { ...state, tmState: 'aborted', msgs: set(msgs, 'Abort') };
  for (const rm of rms) {
    if (tmState === 'init' && msgs.includes(`Prepared ${rm}`))
      yield { ...state, tmPrepared: set(tmPrepared, rm) };
    if (rmState[rm] === 'working')
      yield { ...state, rmState: rmTo(rm, 'prepared'), msgs: set(msgs, `Prepared ${rm}`) };
    if (rmState[rm] === 'working') yield { ...state, rmState: rmTo(rm, 'aborted') };
    if (msgs.includes('Commit')) yield { ...state, rmState: rmTo(rm, 'committed') };
    if (msgs.includes('Abort')) yield { ...state, rmState: rmTo(rm, 'aborted') };
  }
}

/** The reachable states of the module, found without any actor. */
function classicalStates(count: number): ReadonlySet<string> {
  const rmState = Array.from({ length: count }, () => 'working');
  const known = new Set([JSON.stringify({ rmState, tmState: 'init', tmPrepared: [], msgs: [] })]);
  for (const key of known)
    for (const next of actions(JSON.parse(key) as Classical))
      known.add(
        JSON.stringify({
          rmState: next.rmState,
          tmState: next.tmState,
          tmPrepared: next.tmPrepared,
          msgs: next.msgs,
        }),
      );
  return known;
}

/** The state of the module that a state of the machine stands for. */
function classical({ actors }: DecodedState): string {
  const rms = actors.filter(({ name }) => name.startsWith('ResourceManager'));
  const { state: tmState, context } = actors.find(({ name }) => name === 'TransactionManager')!;
  const { unread, prepared } = context as { unread: number[]; prepared: number[] };
  const heard = rms.map((rm) => (rm.context as { heard: string | null }).heard);
  const msgs = [
    ...(heard.every((one) => one === 'transaction.abort') ? ['Abort'] : []),
    ...(heard.every((one) => one === 'transaction.commit') ? ['Commit'] : []),
    ...[...unread, ...prepared].sort().map((rm) => `Prepared ${rm}`),
  ];
  return JSON.stringify({ rmState: rms.map(({ state }) => state), tmState, tmPrepared: prepared, msgs });
}

describe('two-phase commit', () => {
  test.each([
    [1, 12],
    [2, 56],
    [3, 288],
  ])('of %i resource managers has %i states when every tape of every tick is run', (count, states) => {
    expect(statesByBruteForce(wired(count)).size).toBe(states);
  });

  test.each([
    [3, 288],
    [5, 8832],
  ])('of %i resource managers has %i states for the checker, with reduction and without', (count, states) => {
    for (const reduction of [true, false]) {
      const explored = new Explorer(() => wired(count), { reduction }).toEnd();

      expect(explored).toMatchObject({ verdict: 'ok', states, unexplored: 0 });
    }
  });

  test.each([
    [3, 288],
    [5, 8832],
  ])('of %i resource managers has, as the classical model, %i states', (count, states) => {
    expect(classicalStates(count).size).toBe(states);
    expect(6 ** count + 4 ** count + 2 ** count).toBe(states);
  });

  test.each([1, 2, 3, 4])(
    'of %i resource managers has the states of the classical model, one for one',
    (count) => {
      const explorer = new Explorer(() => wired(count));
      explorer.toEnd();

      const states = [...explorer.states()].map(classical);

      expect(new Set(states)).toEqual(classicalStates(count));
      expect(states.length).toBe(new Set(states).size);
    },
  );

  test('ends when all have decided, whatever the schedule', () => {
    const explorer = new Explorer(() => wired(3));
    explorer.toEnd();

    const ends = [...explorer.states()].filter(({ messages }) => messages.length === 0);
    const decisions = ends.map(({ actors }) =>
      actors.filter(({ name }) => name !== 'Turns').map(({ state }) => state),
    );

    expect(ends.length).toBe(28);
    for (const decided of decisions) expect(['aborted', 'committed']).toContain(decided[0]);
    for (const decided of decisions) expect(new Set(decided).size).toBe(1);
  });
});
