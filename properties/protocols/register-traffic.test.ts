import { Subject, takeUntil } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { RegisterAnswer, RegisterRequest } from '../../actors/protocols/register.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { Run } from '../../kernel/run.ts';
import { sharedRegister } from '../../machines/protocols/register.ts';
import type { History } from '../consistency/history.ts';
import { linearizable } from '../consistency/oracles.ts';
import { recordHistory, type Traffic } from '../consistency/recorder.ts';
import { type Refutation, refutationWords } from '../consistency/verdict.ts';
import { watch } from '../property.ts';
import { linearizableRegister } from './linearizable-register.ts';

/** How the messages of a shared register are read as accesses. A client has one under way at a time. */
const registerTraffic: Traffic = {
  request: ({ from, message: { event } }) => {
    const request = event as RegisterRequest;
    switch (request.type) {
      case 'register.read':
        return { process: from, kind: 'read', location: 'register' };
      case 'register.write':
        return { process: from, kind: 'write', location: 'register', value: request.value };
      default:
        return undefined;
    }
  },
  answer: ({ to, message: { event } }) => {
    const answer = event as RegisterAnswer;
    switch (answer.type) {
      case 'register.value':
        return { process: to, value: answer.value };
      case 'register.written':
        return { process: to };
      default:
        return undefined;
    }
  },
};

/** What is found in a random run of three clients, by an oracle that judges the whole history, and by the observer of the answers. */
function found(seed: number, copies: number, mutants: readonly string[], until?: number) {
  const config = { clients: 3, copies, writes: 2, reads: 2 };
  const { wiring } = sharedRegister.assemble({
    name: 'test',
    config,
    programs: [],
    mutants,
    scheduled: true,
  });
  const run = new Run(wiring, { choices: new RandomChoices(seed) });
  const watching = watch(run, [linearizableRegister]);
  const ended$ = new Subject<void>();
  const history: Refutation[] = [];
  run.messages$.pipe(takeUntil(ended$), recordHistory(registerTraffic)).subscribe((accesses: History) => {
    const verdict = linearizable(accesses, { initial: () => 0 });
    if (verdict.verdict === 'inconsistent') history.push(verdict);
  });
  run.until(until);
  watching.end();
  ended$.next();
  const { sentence } = linearizableRegister;
  return { history, online: run.outcome.violations.filter(({ property }) => property === sentence) };
}

const seeds = Array.from({ length: 150 }, (_, seed) => seed);

describe('the history of a shared register', () => {
  test.each([
    ['one copy', 1, [], 0],
    ['two copies', 2, [], 86],
    ['a write that is forgotten', 1, ['lost-write'], 150],
    ['a write that is answered before it is carried out', 1, ['early-answer'], 109],
  ] as const)('of %s is judged as the observer of the answers judges it', (_, copies, mutants, failing) => {
    const runs = seeds.map((seed) => found(seed, copies, mutants));

    expect(runs.map(({ history }) => history.length)).toEqual(runs.map(({ online }) => online.length));
    expect(runs.filter(({ history }) => history.length > 0)).toHaveLength(failing);
  });

  test('is judged as far as it goes in a run that is cut short', () => {
    const runs = seeds.map((seed) => found(seed, 2, [], 8));
    const failing = runs.filter(({ history }) => history.length > 0).length;

    expect(runs.map(({ history }) => history.length)).toEqual(runs.map(({ online }) => online.length));
    expect([failing > 0, failing < seeds.length]).toEqual([true, true]);
  });

  test('is told with the accesses that contradict each other', () => {
    const { history } = found(0, 1, ['lost-write']);

    expect(history.map(refutationWords)).toEqual([
      '"Client[1] writes register = 4 in ticks 5 to 7" before "Client[1] reads register = 0 in ticks 7 to 8" (program order), ' +
        '"Client[1] reads register = 0 in ticks 7 to 8" before "Client[1] writes register = 4 in ticks 5 to 7" (from read)',
    ]);
  });
});
