import { describe, expect, test } from 'vitest';
import { Explorer } from '../../kernel/explore/explorer.ts';
import type { Wiring } from '../../kernel/wiring.ts';
import { type MutualExclusionConfig, mutualExclusion } from './mutual-exclusion.ts';
import { statesByBruteForce } from './testing/by-brute-force.ts';

const wired = (config: MutualExclusionConfig): Wiring =>
  mutualExclusion.assemble({ name: '', config, programs: [], mutants: [], scheduled: true }).wiring;

/** Two processes and their variables, in plain numbers. */
interface Plain {
  readonly at: readonly number[];
  readonly flags: readonly number[];
  readonly turn: number;
  readonly left: readonly number[];
}

/** What the line does at which a process is, and the line after it. */
type Line = (state: Plain, me: number, other: number) => Partial<Omit<Plain, 'at'>> & { readonly to: number };
const countDown = ({ left }: Plain, me: number) => left.with(me, Math.max(0, left[me]! - 1));
const finished = -1;
const again = ({ left }: Plain, me: number) => (left[me] === 1 ? finished : 0);

const petersonLines: readonly Line[] = [
  ({ flags }, me) => ({ flags: flags.with(me, 1), to: 1 }),
  (_state, _me, other) => ({ turn: other, to: 2 }),
  ({ flags }, _me, other) => ({ to: flags[other] === 0 ? 4 : 3 }),
  ({ turn }, me) => ({ to: turn === me ? 4 : 2 }),
  (state, me) => ({ flags: state.flags.with(me, 0), left: countDown(state, me), to: again(state, me) }),
];
const dekkerLines: readonly Line[] = [
  ({ flags }, me) => ({ flags: flags.with(me, 1), to: 1 }),
  ({ flags }, _me, other) => ({ to: flags[other] === 0 ? 5 : 2 }),
  ({ turn }, me) => ({ to: turn === me ? 1 : 3 }),
  ({ flags }, me) => ({ flags: flags.with(me, 0), to: 4 }),
  ({ turn }, me) => ({ to: turn === me ? 0 : 4 }),
  (_state, _me, other) => ({ turn: other, to: 6 }),
  (state, me) => ({ flags: state.flags.with(me, 0), left: countDown(state, me), to: again(state, me) }),
];

/** How many states two processes have that go through these lines, found without any actor. */
function plainStates(lines: readonly Line[], rounds: number): number {
  const known = new Set([JSON.stringify({ at: [0, 0], flags: [0, 0], turn: 0, left: [rounds, rounds] })]);
  for (const key of known) {
    const state = JSON.parse(key) as Plain;
    for (const me of [0, 1]) {
      if (state.at[me] === finished) continue;
      const { to, ...changes } = lines[state.at[me]!]!(state, me, 1 - me);
      const { flags, turn, left } = { ...state, ...changes };
      known.add(JSON.stringify({ at: state.at.with(me, to), flags, turn, left }));
    }
  }
  return known.size;
}

const all = [
  ['peterson', petersonLines, 0, 33],
  ['peterson', petersonLines, 1, 39],
  ['peterson', petersonLines, 2, 139],
  ['dekker', dekkerLines, 0, 79],
  ['dekker', dekkerLines, 1, 42],
  ['dekker', dekkerLines, 2, 210],
] as const;

describe('mutual exclusion', () => {
  test.each(all)('of %s has as many states for the checker, by brute force, and without actors', (...one) => {
    const [algorithm, lines, rounds, states] = one;

    const explored = new Explorer(() => wired({ algorithm, rounds })).toEnd();

    expect(explored).toMatchObject({ verdict: 'ok', states });
    expect(statesByBruteForce(wired({ algorithm, rounds })).size).toBe(states);
    // The state before the first tick, in which nobody has begun, is none of theirs.
    expect(plainStates(lines, rounds) + 1).toBe(states);
  });

  const ending = all.filter(([, , rounds]) => rounds > 0);
  test.each(ending)('of %s can end well from every state that it comes to', (algorithm, _lines, rounds) => {
    const graph = statesByBruteForce(wired({ algorithm, rounds }));

    const good = new Set([...graph].filter(([, next]) => next.length === 0).map(([key]) => key));
    for (const key of good) expect(key.match(/"finished"/g)).toHaveLength(2);
    for (let before = -1; before < good.size; ) {
      before = good.size;
      for (const [key, next] of graph) if (next.some((one) => good.has(one))) good.add(key);
    }

    expect(good.size).toBe(graph.size);
  });
});
