import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { z } from 'zod';
import { main } from '../cli/main.ts';
import { KeptTerminal } from '../cli/terminal.ts';
import '../entries/testing-vitest.ts';
import { always, component, defineMachine, message, never, Wiring } from '../index.ts';
import { effort } from '../kernel/testing/effort.ts';
import { fairness } from '../manifests/fairness.ts';
import { twoPhaseCommit } from '../manifests/two-phase-commit.ts';
import { loadRecording } from '../scenarios/recording.ts';
import { everySchedule } from './every-schedule.ts';
import { ScheduleFailure } from './failure.ts';
import { replays } from './replays.ts';
import { schedules } from './schedules.ts';

const folder = 'testing/__lockstep__';
const broken = { config: { resourceManagers: 2 }, mutants: ['broken-promise'] };

/** What a test throws. */
async function thrownBy(test: Promise<unknown>): Promise<Error> {
  const error = await test.then(
    () => undefined,
    (one: unknown) => one,
  );
  if (error instanceof Error) return error;
  throw new Error('found a test that passes, expected one that fails');
}

async function failureOf(test: Promise<unknown>): Promise<ScheduleFailure> {
  const error = await thrownBy(test);
  if (error instanceof ScheduleFailure) return error;
  throw error;
}

/** Carries out the command that a failure shows. */
async function open({ message }: Error) {
  const [, command = ''] = /open it: npx lockstep (.*)/.exec(message) ?? [];
  const terminal = new KeptTerminal(false, 100);
  const exitCode = await main(command.split(' '), terminal);
  return { command, exitCode, err: terminal.stderr };
}

beforeEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('options that are not known, and what is no machine, are refused', async () => {
  const states = { state: 288 } as never;
  expect((await thrownBy(everySchedule(twoPhaseCommit, states))).message).toContain(
    'KRN024 everySchedule: found "state", expected one of: states, statesMax',
  );
  expect((await thrownBy(schedules(twoPhaseCommit, { run: 5 } as never))).message).toContain(
    'KRN024 schedules: found "run"',
  );
  expect((await thrownBy(everySchedule({ name: 'x', config: {} } as never))).message).toContain(
    'expected a machine that defineMachine made',
  );
});

test.each<[string, () => Promise<unknown>, string]>([
  [
    'beside a scenario file',
    () => everySchedule(twoPhaseCommit, { scenario: 'x.yaml', network: {} }),
    'found network together with scenario',
  ],
  [
    'planted beside a scenario file',
    () => schedules(twoPhaseCommit, { scenario: 'x.yaml', mutants: [] }),
    'found mutants together with scenario',
  ],
  [
    'beside a generator',
    () => schedules(twoPhaseCommit, { generate: true, until: 2 }),
    'found until together with generate',
  ],
  ['no run', () => schedules(twoPhaseCommit, { runs: 0 }), 'found runs 0, expected a whole number from 1'],
  ['half a run', () => schedules(twoPhaseCommit, { runs: 2.5 }), 'found runs 2.5'],
  [
    'a strategy that there is not',
    () => schedules(twoPhaseCommit, { strategies: ['rand' as never] }),
    'found "rand", expected one of: fifo',
  ],
  ['no strategy', () => schedules(twoPhaseCommit, { strategies: [] }), 'expected a list of some'],
  [
    'a sentence for a property',
    () => everySchedule(twoPhaseCommit, { properties: ['it holds' as never] }),
    'as properties[0]: expected a property',
  ],
  [
    'a property for a list',
    () => everySchedule(twoPhaseCommit, { properties: always('it is', () => true) as never }),
    'expected a list of properties',
  ],
  [
    'a text for a number',
    () => everySchedule(twoPhaseCommit, { states: '288' as never }),
    'found states "288"',
  ],
  [
    'a word for yes',
    () => everySchedule(twoPhaseCommit, { symmetry: 'no' as never }),
    'found "no", expected one of: false, true',
  ],
  [
    'properties of a rest',
    async () => expect(twoPhaseCommit).toReachRest({ properties: [] } as never),
    'KRN024 toReachRest: found "properties"',
  ],
])('what would not be done and pass for done is refused: %s', async (_name, asked, told) => {
  expect((await thrownBy(asked())).message).toContain(told);
});

describe('every schedule', () => {
  test('names the sentences of which nothing came that they look at', async () => {
    const misspelt = never('nobody does it', message('preprae'));
    const found = await everySchedule(twoPhaseCommit, {
      properties: [misspelt, always('it is', () => true)],
    });

    expect([found.judged, found.idle]).toEqual([
      expect.not.arrayContaining([misspelt.sentence]),
      [misspelt.sentence],
    ]);
    expect(found.judged).toContain('it is');
  });

  test('of a machine that is right is tried, and the states are counted', async () => {
    const found = await everySchedule(twoPhaseCommit, { config: { resourceManagers: 3 }, states: 288 });

    expect(found).toMatchObject({
      states: 288,
      judged: ['no resource manager commits while another one aborts'],
    });
    expect(existsSync(folder)).toBe(false);
  });

  test('of a scenario file is tried', async () => {
    const found = await everySchedule(twoPhaseCommit, {
      scenario: 'scenarios/protocols/two-phase-commit.yaml',
    });

    expect(found.states).toBe(288);
  });

  test('is told with the page that explains one which fails, recorded beside the test, and the command that opens it', async () => {
    const failure = await failureOf(everySchedule(twoPhaseCommit, broken));

    expect(failure.found.verdict).toBe('violated');
    expect(failure.recording).toMatch(/^testing\/__lockstep__\/[\w.-]+\.json$/);
    expect(failure.message).toContain('what led to it');
    expect(loadRecording(failure.recording!)).toMatchObject({
      tape: failure.tape,
      end: { verdict: 'violated' },
    });
    const { command, exitCode, err } = await open(failure);
    expect([command, exitCode]).toEqual([`explain ${failure.recording}`, 0]);
    // What the command tells is what the test told.
    expect(failure.message.split('\n')[0]).toBe(err.split('\n')[0]);
  });

  test('is recorded only where that is asked for', async () => {
    const failure = await failureOf(everySchedule(twoPhaseCommit, { ...broken, record: false }));

    expect(failure.recording).toBeUndefined();
    expect(existsSync(folder)).toBe(false);
  });

  test('is judged by what the test asks for, and the command shows the run', async () => {
    const nobody = always('nobody is ever prepared', (state) =>
      state.actors.every((actor) => actor.state !== 'prepared'),
    );

    const failure = await failureOf(everySchedule(twoPhaseCommit, { properties: [nobody] }));

    expect(failure.found.what).toBe('nobody is ever prepared');
    const { command, exitCode } = await open(failure);
    expect([command, exitCode]).toEqual([`replay ${failure.recording}`, 0]);
  });

  test('that goes round for ever is recorded with its round', async () => {
    const config = { system: 'spinner' };

    const failure = await failureOf(everySchedule(fairness, { config }));

    expect(failure.message).toContain('may happen again and again');
    expect(loadRecording(failure.recording!).cycle).toBeDefined();
    expect((await open(failure)).exitCode).toBe(0);
  });

  test('is no pass when not everything was judged to its end', async () => {
    const few = await thrownBy(everySchedule(twoPhaseCommit, { statesMax: 100 }));

    expect(few.message).toContain('were found and not gone on from: raise statesMax');
    expect(few instanceof ScheduleFailure).toBe(false);
  });

  test('is no pass when there are other states than the test says', async () => {
    const { message } = await thrownBy(everySchedule(twoPhaseCommit, { states: 287 }));

    expect(message).toContain('expected 287');
  });

  test('of what the machine does not take is refused in its words', async () => {
    const { message } = await thrownBy(everySchedule(twoPhaseCommit, { config: { resourceManager: 2 } }));

    expect(message).toContain('unknown key "resourceManager" in config');
    expect(message).not.toContain('.yaml:');
  });

  test('is recorded with the machine named by its module where a project does not know its name', async () => {
    const named = '../manifests/two-phase-commit.ts#twoPhaseCommit';

    const failure = await failureOf(everySchedule(twoPhaseCommit, { ...broken, named }));

    expect(loadRecording(failure.recording!).scenario.machine).toBe(named);
    expect((await open(failure)).exitCode).toBe(0);
  });
});

describe('random schedules', () => {
  test('of a machine that is right are tried, as many as asked for', async () => {
    expect(await schedules(twoPhaseCommit, { runs: 30, seed: 7 })).toEqual({ runs: 30, seed: 7 });
  });

  test('that fail are made simple, explained, recorded, and repeated by seed and path', async () => {
    const options = { mutants: ['hasty-manager'], runs: 2000, seed: 3 };

    const failure = await failureOf(schedules(twoPhaseCommit, options));

    const { exitCode } = await open(failure);
    expect(exitCode).toBe(0);
    const [, path] = /again: \{ seed: 3, path: "([\d:]+)" \}/.exec(failure.message)!;
    const again = await failureOf(schedules(twoPhaseCommit, { ...options, path: path! }));
    expect(again.tape).toEqual(failure.tape);
    expect(again.message).toContain('found in run 1 of 2000');
  });

  test('of generated scenarios are made simple in their scenario, too', async () => {
    const failure = await failureOf(
      schedules(twoPhaseCommit, { generate: true, mutants: ['hasty-manager'], runs: 2000, seed: 3 }),
    );

    expect(loadRecording(failure.recording!).scenario.text).toContain('resourceManagers: 2');
    expect((await open(failure)).exitCode).toBe(0);
  });

  test('of a machine without a generator are refused when scenarios are to be generated', async () => {
    const { message } = await thrownBy(schedules(fairness, { generate: true }));

    expect(message).toContain('found no generator of the machine fairness');
  });

  test('tell of a machine that cannot be built what it throws', async () => {
    const machine = defineMachine({
      name: 'broken',
      summary: 'it cannot be wired',
      assemble: () => {
        throw new Error('a wire is missing');
      },
    });

    const error = await thrownBy(schedules(machine));

    expect(error.message).toContain('a wire is missing');
    expect(error).not.toBeInstanceOf(ScheduleFailure);
  });
});

describe('matchers', () => {
  test('say that a machine holds, or does not', async () => {
    await expect(twoPhaseCommit).toHold({ config: { resourceManagers: 2 } });
    await expect(twoPhaseCommit).toHold({ runs: 20, seed: 1 });
    await expect(twoPhaseCommit).not.toHold(broken);

    // What is expected is not recorded.
    expect(existsSync(folder)).toBe(false);
    const failure = await thrownBy(expect(twoPhaseCommit).toHold(broken));
    expect(failure.message).toContain('what led to it');
    expect(existsSync(folder)).toBe(true);
    const wrong = await thrownBy(expect(twoPhaseCommit).not.toHold());
    expect(wrong.message).toContain('expected a schedule under which they do not');
  });

  test('say that all runs come to rest', async () => {
    await expect(twoPhaseCommit).toReachRest({ config: { resourceManagers: 2 } });
    await expect(fairness).not.toReachRest({ config: { system: 'spinner' } });
    const failure = await thrownBy(expect(fairness).toReachRest({ config: { system: 'spinner' } }));

    expect(failure.message).toContain('every run comes to rest');
    // No run does, however it goes on.
    expect(failure.message.replace(/\s+/g, ' ')).toContain(
      'what is awaited does not come either as long as the run is followed, and no order of deliveries was found that passes',
    );
    const again = await open(failure);
    expect(again.command).toMatch(/^explain /);
    expect(again.err).toContain('violated: every run comes to rest');
  });

  test('say nothing of a rest where runs are cut before it', async () => {
    const cut = await thrownBy(expect(fairness).toReachRest({ config: { system: 'spinner' }, until: 3 }));

    expect(cut).not.toBeInstanceOf(ScheduleFailure);
    expect(cut.message).toContain('every run comes to rest');
    expect(cut.message).toContain('it still waits at the last tick');
  });

  test('say that a run is the recorded one', async () => {
    const { recording } = await failureOf(everySchedule(twoPhaseCommit, broken));

    await expect(twoPhaseCommit).toReplay(recording!);
    expect(await replays(twoPhaseCommit, recording!)).toMatchObject({ verdict: 'violated' });
    const changed = JSON.parse(readFileSync(recording!, 'utf8'));
    changed.end.fingerprint = '0'.repeat(16);
    writeFileSync(recording!, JSON.stringify(changed));
    await expect(twoPhaseCommit).not.toReplay(recording!);
  });

  test('take nothing but machines', async () => {
    const { message } = await thrownBy(expect(7).toHold());

    expect(message).toContain('found 7, expected what defineMachine gives');
  });
});

test('a livelock inside one tick is explained within a few seconds', async () => {
  const { act } = component<{ readonly first: number }, { type: 'go' | 'spin'; n?: number }>();
  const stuck = setup({
    types: {} as { context: { first: number }; events: { type: 'go' | 'spin'; n?: number } },
    actions: {
      take: act((self: { first: number }, { type, n = 0 }, out) => {
        if (type === 'go' && self.first === 0) self.first = n;
        if (type === 'spin' || (type === 'go' && self.first === 2)) out.post({ to: out.self, type: 'spin' });
      }),
    },
  }).createMachine({ id: 'stuck', context: { first: 0 }, on: { '*': { actions: 'take' } } });
  const racing = defineMachine({
    name: 'racing',
    summary: 'Two messages race; after the second one there is no end.',
    config: z.strictObject({}),
    assemble: () => {
      const wiring = new Wiring();
      const to = wiring.place('Stuck', stuck, undefined);
      const starter = setup({
        types: {} as { context: { to: number; n: number }; events: { type: 'tick' }; input: { n: number } },
        actions: {
          say: component<{ to: number; n: number }, { type: 'tick' }>().post(({ n }) => ({
            to,
            type: 'go',
            n,
            delay: 1,
          })),
        },
      }).createMachine({
        id: 'starter',
        context: ({ input }) => ({ to: 0, ...input }),
        on: { tick: { actions: 'say' } },
      });
      for (const n of [1, 2])
        wiring.begin({ to: wiring.place(`Starter[${n}]`, starter, { n }), type: 'tick' });
      return { wiring, result: () => ({}), deliveriesPerTickMax: effort({ short: 2000, long: 1_000_000 }) };
    },
  });

  const { message } = await failureOf(everySchedule(racing, { record: false }));

  expect(message).toContain('livelock: deliveries without end in one tick');
  expect(message.replaceAll(/\s+/g, ' ')).toContain(
    'In tick 1 Stuck got go n=2 from Starter[2] before go n=1',
  );
});
