import { describe, expect, test } from 'vitest';
import { Explorer } from '../../kernel/explore/explorer.ts';
import { GuidedChoices } from '../../kernel/explore/guide.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import type { Symmetry } from '../../kernel/explore/symmetry.ts';
import { Run } from '../../kernel/run.ts';
import { assembled } from '../machine.ts';
import { twoPhaseCommit } from './two-phase-commit.ts';

const wired = (resourceManagers: number, mutants: readonly string[] = []) =>
  assembled(twoPhaseCommit, {
    name: '',
    config: { resourceManagers },
    programs: [],
    mutants,
    scheduled: true,
  }).wiring;
const commitSymmetry = (resourceManagers: number): Symmetry =>
  wired(resourceManagers).speakers!.symmetry('ResourceManager');

/** What there is in a state of the module TwoPhase, told of each resource manager: its state, whether its promise was sent, and whether it was read. */
type Place = `${'working' | 'prepared' | 'committed' | 'aborted'} ${boolean} ${boolean}`;
interface Classical {
  readonly places: readonly Place[];
  readonly manager: 'init' | 'Commit' | 'Abort';
}

/** The states that follow in the module, found without any actor. */
function* following({ places, manager }: Classical): Generator<Classical> {
  const all = places.map((place) => place.split(' '));
  if (manager === 'init') {
    if (all.every(([, , read]) => read === 'true')) yield { places, manager: 'Commit' };
    yield { places, manager: 'Abort' };
  }
  for (const [rm, [state, sent, read]] of all.entries()) {
    const to = (place: string) => ({ places: places.with(rm, place as Place), manager });
    if (manager === 'init' && sent === 'true') yield to(`${state} true true`);
    if (state === 'working') {
      yield to(`prepared true ${read}`);
      yield to(`aborted ${sent} ${read}`);
    }
    if (manager === 'Commit') yield to(`committed ${sent} ${read}`);
    if (manager === 'Abort') yield to(`aborted ${sent} ${read}`);
  }
}

/** Every list that has these in some order. */
function* orders<T>(all: readonly T[]): Generator<readonly T[]> {
  if (all.length === 0) yield [];
  for (const [index, one] of all.entries())
    for (const rest of orders(all.toSpliced(index, 1))) yield [one, ...rest];
}

/** All states, and the classes of them that all orders of the resource managers make. */
function byBruteForce(count: number): { readonly states: number; readonly classes: number } {
  const first: Classical = {
    places: Array.from({ length: count }, () => 'working false false'),
    manager: 'init',
  };
  const known = new Map([[JSON.stringify(first), first]]);
  for (const [, state] of known) for (const next of following(state)) known.set(JSON.stringify(next), next);
  const seen = new Set<string>();
  let classes = 0;
  for (const [key, { places, manager }] of known) {
    if (seen.has(key)) continue;
    classes++;
    for (const order of orders(places)) seen.add(JSON.stringify({ places: order, manager }));
  }
  return { states: known.size, classes };
}

const exploring = (
  count: number,
  symmetry: Symmetry,
  mutants: readonly string[] = [],
  observers: readonly Observer[] = [],
) => new Explorer(() => wired(count, mutants), { symmetry, observers });

describe('the symmetry of two-phase commit', () => {
  test.each([
    [1, 12, 12],
    [3, 288, 80],
    [5, 8832, 314],
  ])(
    'of %i resource managers merges %i states into %i classes, as by brute force',
    (count, states, classes) => {
      const explorer = exploring(count, commitSymmetry(count));

      const explored = explorer.toEnd();

      expect(byBruteForce(count)).toEqual({ states, classes });
      expect(explored).toMatchObject({ verdict: 'ok', states: classes, unexplored: 0 });
    },
  );

  test('finds what a property finds on a way that a run takes, with the actors of this way', () => {
    const stubborn = exploring(3, commitSymmetry(3), ['hasty-manager'], [onlyTheLast]);
    const { findings } = stubborn.toEnd();

    const { finding, route } = stubborn.show(findings[0]!);

    const guided = new GuidedChoices(route);
    const run = new Run(wired(3, ['hasty-manager']), { choices: guided });
    guided.follow(run);
    const seen: string[] = [];
    run.probes$.subscribe(({ actor }) => seen.push(actor));
    run.until(route.tick);
    expect(finding).toMatchObject({ verdict: 'violated', what: onlyTheLast.sentence });
    expect(seen).toEqual(expect.arrayContaining([...finding.actors]));
    expect(new Set(seen).size).toBeGreaterThan(1);
  });

  test('is refused when it forgets a field that names an actor', () => {
    const { actors, exchange } = commitSymmetry(3);
    const forgetful: Symmetry = {
      actors,
      exchange: (data, by, of) => ({
        ...exchange(data, by, of),
        ...('prepared' in data && { prepared: data['prepared'] }),
      }),
    };
    const explorer = exploring(3, forgetful);

    // Which two neighbours are told depends on the states that were chosen to stand for others.
    expect(() => explorer.toEnd()).toThrow(
      /^KRN013 ResourceManager\[(0\] and ResourceManager\[1|1\] and ResourceManager\[2)\]: exchanged, .+ does something else with .+: \S+ is .+, expected /,
    );
  });

  test('is refused when the machine does one thing with one of the actors and another thing with the others', () => {
    const explorer = exploring(3, commitSymmetry(3), ['lost-decision']);

    expect(() => explorer.toEnd()).toThrow('KRN013');
  });

  test('is refused for actors that are not there, or are of another kind', () => {
    const { exchange } = commitSymmetry(2);
    const among = (...actors: string[]) => exploring(2, { actors, exchange });

    expect(() => among('ResourceManager[0]', 'ResourceManager[7]')).toThrow(
      'KRN013 ResourceManager[7]: no actor',
    );
    expect(() => among('ResourceManager[0]', 'TransactionManager')).toThrow(
      'they have different state machines',
    );
  });
});

/** Finds a second decision: a sentence that means all resource managers alike. */
const onlyTheLast: Observer<{ decided: string[] }> = {
  sentence: 'only one resource manager ever decides',
  watches: ['transaction.decided'],
  exchange: ({ decided }, nameOf) => ({ decided: decided.map(nameOf).sort() }),
  begin: () => ({ decided: [] }),
  see: ({ decided }, observation) => {
    if (observation.kind !== 'probe') return undefined;
    decided.push(observation.actor);
    decided.sort();
    return decided.length > 1 ? { actors: [...decided], why: 'they decided' } : undefined;
  },
};
