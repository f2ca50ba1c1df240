import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linearizableRegister } from './linearizable-register.ts';

/** An operation of a history: its client, what it writes (or `read`), its answer, and the moments between which it happened. */
interface Operation {
  readonly client: number;
  readonly does: number | 'read';
  readonly answer: number | 'written';
  readonly from: number;
  readonly to: number;
}

/** Whether some order of the operations, none before one that ended before it began, explains all answers. */
function explainable(left: readonly Operation[], value = 0): boolean {
  if (left.length === 0) return true;
  return left.some((one) => {
    if (left.some(({ to }) => to < one.from)) return false;
    if (one.does === 'read' && one.answer !== value) return false;
    return explainable(
      left.filter((other) => other !== one),
      one.does === 'read' ? value : one.does,
    );
  });
}

/** Histories of three clients, with random answers: few of them are linearizable by chance. */
const histories = fc
  .array(fc.record({ client: fc.nat(2), reads: fc.boolean(), answer: fc.nat(3) }), {
    minLength: 2,
    maxLength: 12,
  })
  .map((moments) => {
    const open = new Map<number, Operation>();
    const done: Operation[] = [];
    moments.forEach(({ client, reads, answer }, moment) => {
      const waiting = open.get(client);
      open.delete(client);
      if (waiting)
        done.push({ ...waiting, answer: waiting.does === 'read' ? answer : 'written', to: moment });
      else {
        const does = reads ? 'read' : client + 1;
        open.set(client, { client, does, answer: 'written', from: moment, to: Number.POSITIVE_INFINITY });
      }
    });
    return done;
  });

/** What the observer finds in a history. */
function findings(history: readonly Operation[]): number {
  const memory = linearizableRegister.begin();
  const events = history.flatMap(({ client, does, answer, from, to }) => [
    {
      at: from,
      from: `Client[${client}]`,
      to: 'Register',
      event: does === 'read' ? { type: 'register.read' } : { type: 'register.write', value: does },
    },
    {
      at: to,
      from: 'Register',
      to: `Client[${client}]`,
      event: answer === 'written' ? { type: 'register.written' } : { type: 'register.value', value: answer },
    },
  ]);
  return events
    .sort((one, other) => one.at - other.at)
    .filter(({ at: _, ...seen }) => linearizableRegister.see(memory, { kind: 'message', ...seen })).length;
}

test('a history is found not to be linearizable exactly when no order explains it, and once', () => {
  const verdicts = [0, 0];
  fc.assert(
    fc.property(histories, (history) => {
      const expected = explainable(history) ? 0 : 1;
      verdicts[expected]!++;
      expect(findings(history)).toBe(expected);
    }),
    { seed: 3, numRuns: 2000 },
  );

  expect(Math.min(...verdicts)).toBeGreaterThan(300);
});
