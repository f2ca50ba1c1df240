import { describe, expect, test } from 'vitest';
import type { Choices } from '../../kernel/choices.ts';
import { enumerateChoices } from '../../kernel/explore/enumerate-choices.ts';
import { Explorer } from '../../kernel/explore/explorer.ts';
import type { InjectedFault } from '../../kernel/faults.ts';
import { Run } from '../../kernel/run.ts';
import { type RecoverableCommitConfig, recoverableCommit } from './recoverable-commit.ts';
import { statesByBruteForce } from './testing/by-brute-force.ts';

const wired = (config: RecoverableCommitConfig) =>
  recoverableCommit.assemble({ name: '', config, programs: [], mutants: [], scheduled: true }).wiring;
const configured = (resourceManagers: number, log: 'kept' | 'lost' = 'kept'): RecoverableCommitConfig => ({
  resourceManagers,
  log,
  patienceTicks: 4,
});

const answering = (ask: (count: number) => number): Choices => ({
  canonical: false,
  pick: (_what, count) => ask(count),
  save: () => null,
  load: () => {},
});
const isParty = (name: string) => name.startsWith('ResourceManager') || name === 'TransactionManager';

/** How all runs under every tape end: who is in which state; what has crashed is not told. */
function endsOfRuns(config: RecoverableCommitConfig, faults: readonly InjectedFault[]): ReadonlySet<string> {
  const ends = new Set<string>();
  for (const { result: run } of enumerateChoices((ask) => {
    const made = new Run(wired(config), { choices: answering(ask), faults });
    made.toEnd();
    return made;
  })) {
    const down = new Set(run.snapshot().faults?.down.map(({ address }) => address as number));
    const parties = run.parts.filter(({ name, address }) => isParty(name) && !down.has(address));
    ends.add(parties.map(({ name, configuration }) => `${name} ${configuration.name}`).join());
  }
  return ends;
}

/** The same of an exploration. */
function endsOfExploration(
  config: RecoverableCommitConfig,
  faults: readonly InjectedFault[],
): ReadonlySet<string> {
  const explorer = new Explorer(() => wired(config), { faults, findingsMax: Number.POSITIVE_INFINITY });
  explorer.toEnd();
  const quiet = [...explorer.states()].filter(({ messages }) => messages.length === 0);
  return new Set(
    quiet.map(({ actors }) =>
      actors
        .filter(({ name, state }) => isParty(name) && state !== 'crashed')
        .map(({ name, state }) => `${name} ${state}`)
        .join(),
    ),
  );
}

describe('two-phase commit with crashes', () => {
  test.each([1, 2])(
    'of %i resource managers has the states of brute force when nothing goes wrong',
    (count) => {
      const explored = new Explorer(() => wired(configured(count))).toEnd();

      expect(explored.verdict).toBe('ok');
      expect(statesByBruteForce(wired(configured(count))).size).toBe(explored.states);
    },
  );

  const crash = (restart?: number): InjectedFault => ({
    kind: 'crash',
    actor: 'ResourceManager[*]',
    budget: 1,
    ...(restart !== undefined && { restart }),
  });
  test.each<[string, number, 'kept' | 'lost', InjectedFault]>([
    ['a crash', 1, 'kept', crash()],
    ['a crash and a restart', 1, 'kept', crash(1)],
    ['a late restart', 1, 'lost', crash(3)],
    ['a dropped message', 1, 'kept', { kind: 'drop' }],
    ['a late message', 1, 'kept', { kind: 'reorder', ticks: 3 }],
  ])('ends with %s as all runs under every tape end', (_, count, log, fault) => {
    const config = configured(count, log);

    const ends = endsOfExploration(config, [fault]);

    expect(ends).toEqual(endsOfRuns(config, [fault]));
    expect(ends.size).toBeGreaterThan(1);
  });

  test('keeps what it has promised across a crash, and only with a log that is kept', () => {
    const endsWith = (log: 'kept' | 'lost') => [...endsOfExploration(configured(2, log), [crash(1)])];
    const torn = (end: string) =>
      /ResourceManager\[\d\] committed/.test(end) && /ResourceManager\[\d\] aborted/.test(end);

    expect(endsWith('kept').some(torn)).toBe(false);
    expect(endsWith('lost').some(torn)).toBe(true);
  });

  test('takes the votes of one that stays down for no', () => {
    const ends = [...endsOfExploration(configured(2), [crash()])];

    expect(ends).toContain('ResourceManager[1] aborted,TransactionManager aborted');
    for (const end of ends) expect(end).not.toMatch(/prepared|collecting|working/);
  });
});
