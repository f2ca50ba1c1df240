import { describe, expect, test } from 'vitest';
import { type ExploreOptions, Explorer } from '../../kernel/explore/explorer.ts';
import { GuidedChoices } from '../../kernel/explore/guide.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import { Run } from '../../kernel/run.ts';
import type { Wiring } from '../../kernel/wiring.ts';
import { fairness } from '../../machines/protocols/fairness.ts';
import { mutualExclusion } from '../../machines/protocols/mutual-exclusion.ts';
import { stateText, watchCycle } from '../endless.ts';
import { eventually, leadsTo, message, reachable, shown, until } from '../temporal/temporal.ts';
import { fairnessProperties } from './fairness-properties.ts';

/** What an exploration comes to; of a run without end that it finds, what another run shows that takes the same way, and whether it goes round indeed. */
function checked(make: () => Wiring, observers: readonly Observer[], options: ExploreOptions = {}) {
  const explorer = new Explorer(make, { observers, ...options });
  const { verdict, states, findings } = explorer.toEnd();
  const [first] = findings;
  if (!first?.place.run) return { verdict, states, what: first?.what };
  const route = explorer.routeTo(first);
  const { cycleFromTick: from = -1, tick } = route;
  const guided = new GuidedChoices(route);
  const run = new Run(make(), { choices: guided });
  guided.follow(run);
  const property = observers.find(({ sentence }) => sentence === first.what)!;
  const watching = watchCycle(run, property, { from, property: first.what });
  run.until(tick);
  watching.end();
  const states1 = stateText(run);
  const shownThere = run.outcome.violations.map(({ property: sentence }) => sentence);
  run.until(2 * tick - Math.max(from, 0));
  const comesBack = stateText(run) === states1;
  return { verdict, states, what: first.what, loop: tick - Math.max(from, 0), shownThere, comesBack };
}

const system = (config: object) => {
  const given = {
    name: 'test',
    config: fairness.config.parse(config),
    programs: [],
    mutants: [],
    scheduled: true,
  };
  return checked(() => fairness.assemble(given as never).wiring, fairnessProperties(given.config));
};

const hungry = 'a philosopher who is hungry eats';
const passed = 'when a station has used the token, the next one does';
const done = 'the work is done';

describe('what must come, when all runs count and when the weakly fair ones do', () => {
  // Ticks of the loop; undefined where there is none.
  test.each([
    [{ system: 'spinner' }, 2, done, 1, undefined],
    [{ system: 'spinner', stuck: true }, 2, done, 1, 1],
    [{ system: 'philosophers', size: 2 }, 30, hungry, 6, undefined],
    [{ system: 'philosophers', size: 3 }, 168, hungry, 6, undefined],
    [{ system: 'philosophers', size: 3, forks: 'waiter' }, 188, hungry, 8, 16],
    [{ system: 'token-ring', size: 2 }, 17, passed, 1, undefined],
    [{ system: 'token-ring', size: 3 }, 45, passed, 1, undefined],
    [{ system: 'token-ring', size: 3, stuck: true }, 41, passed, 1, 1],
  ])('%j', (config, states, what, loop, fairLoop) => {
    for (const [fair, expected] of [
      [false, loop],
      [true, fairLoop],
    ] as const) {
      const found = system({ ...config, fair });

      if (expected === undefined) expect(found).toEqual({ verdict: 'ok', states, what: undefined });
      else
        expect(found).toEqual({
          verdict: 'violated',
          states,
          what,
          loop: expected,
          shownThere: [what],
          comesBack: true,
        });
    }
  });

  test('philosophers who all take the left fork first come to a deadlock, fair or not', () => {
    for (const fair of [false, true])
      expect(system({ system: 'philosophers', size: 3, forks: 'left-first', fair }).verdict).toBe('deadlock');
  });

  test('until: what holds for ever without what it waits for is found, too', () => {
    const config = fairness.config.parse({ system: 'token-ring', size: 2 });
    const make = () => fairness.assemble({ config } as never).wiring;
    const holds = until(
      'nobody is finished until all is used up',
      (state) => state.actors.every((one) => one.state !== 'finished'),
      shown('used.up'),
      {
        fair: true,
      },
    );
    const broken = until(
      'no token is under way until it is used',
      (state) => state.actor('Station[1]').context['tokens'] === 0,
      shown('used.up'),
    );

    expect(checked(make, [holds])).toMatchObject({ verdict: 'violated', comesBack: true });
    expect(checked(make, [broken])).toMatchObject({ verdict: 'violated', what: broken.sentence });
  });
});

describe("who raises his flag enters, in Peterson's and in Dekker's algorithm", () => {
  const raised = message<{ type: 'register.write'; value: number }>('register.write', {
    to: 'Flag[*]',
    where: ({ value }) => value === 1,
    key: 'from',
  });
  const entered = shown('critical.entered', { key: 'actor' });
  const starves = (algorithm: string, fair: boolean) => {
    const config = mutualExclusion.config.parse({ algorithm, rounds: 0 });
    const given = { name: 'test', config, programs: [], mutants: [], scheduled: true };
    return checked(
      () => mutualExclusion.assemble(given).wiring,
      [leadsTo('who raises his flag enters', raised, entered, { answers: 'all', fair })],
    );
  };

  test.each(['peterson', 'dekker'])('when processes are weakly fair, and only then: %s', (algorithm) => {
    expect(starves(algorithm, false)).toMatchObject({ verdict: 'violated', comesBack: true });
    expect(starves(algorithm, true)).toMatchObject({ verdict: 'ok' });
  });
});

describe('a check', () => {
  const make = (config: object) => () =>
    fairness.assemble({ config: fairness.config.parse(config) } as never).wiring;

  test('finds a witness for what is reachable, and says so when there is none', () => {
    const some = reachable('somebody uses the token', shown('token.used'));
    const none = reachable('somebody eats', shown('philosopher.eats'));
    const explorer = new Explorer(make({ system: 'token-ring' }), { observers: [some, none] });
    const { verdict, findings, witnesses } = explorer.toEnd();

    expect(verdict).toBe('violated');
    expect(findings.map(({ what, unreached }) => [what, unreached])).toEqual([[none.sentence, true]]);
    expect(witnesses.map(({ what }) => what)).toEqual([some.sentence]);
    const route = explorer.routeTo(witnesses[0]!);
    const guided = new GuidedChoices(route);
    const run = new Run(make({ system: 'token-ring' })(), { choices: guided });
    guided.follow(run);
    const probes: string[] = [];
    run.probes$.subscribe(({ probe }) => probes.push(probe.type));
    run.until(route.tick);
    expect(probes).toContain('token.used');
  });

  test('says what is open where a limit keeps it from judging', () => {
    const waits = eventually('somebody eats', shown('philosopher.eats'));
    const some = reachable('somebody eats some time', shown('philosopher.eats'));
    const options = { observers: [waits, some] };

    const cut = new Explorer(make({ system: 'token-ring' }), { ...options, until: 3 }).toEnd();
    const limited = new Explorer(make({ system: 'token-ring' }), { ...options, statesMax: 5 }).toEnd();

    expect([cut.verdict, cut.open.map(({ sentence }) => sentence)]).toEqual([
      'incomplete',
      [waits.sentence, some.sentence],
    ]);
    expect(limited.open.map(({ sentence }) => sentence)).toEqual([some.sentence]);
  });
});
