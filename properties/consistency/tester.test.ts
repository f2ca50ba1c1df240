import { expect, test } from 'vitest';
import type { Observation } from '../../kernel/explore/observer.ts';
import { registerObject } from './sequential-object.ts';
import { consistency, type OperationHistory } from './tester.ts';

const observer = consistency('the register is linearizable', { object: registerObject(0) });

/** What is found after probes such as `A read` and `A = 0`. */
function foundAfter(...steps: readonly string[]) {
  const history = observer.begin() as OperationHistory;
  return steps
    .map((step) => {
      const [actor, ...words] = step.split(' ') as [string, ...string[]];
      const probe =
        words[0] === '='
          ? { type: 'operation.returned', result: JSON.parse(words[1]!) }
          : {
              type: 'operation.invoked',
              operation: words.map((word) => (/\d/.test(word) ? Number(word) : word)),
            };
      return observer.see(history, { kind: 'probe', actor, probe } as unknown as Observation);
    })
    .at(-1);
}

const began = 'as in no order of the operations';

test('a finding names the clients that it takes, and what had returned when the operation began', () => {
  expect(foundAfter('B write 1', 'C write 2', 'C = null', 'D read', 'A read', 'D = 2', 'A = 0')).toEqual({
    actors: ['A', 'C'],
    why: `"read" of A returned 0, ${began}: C: "write" 2 -> null; A: "read" -> 0; it began after "write" 2 of C had returned`,
  });
});

test('a client is named whose write explains what another one has read', () => {
  expect(foundAfter('C write 2', 'D read', 'D = 2', 'A read', 'A = 0')).toEqual({
    actors: ['A', 'C', 'D'],
    why: `"read" of A returned 0, ${began}: D: "read" -> 2; A: "read" -> 0; C awaits "write" 2; it began after "read" of D had returned`,
  });
});
