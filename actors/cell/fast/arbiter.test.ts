import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractOf } from '../../../kernel/contract.ts';
import { cycles } from '../../../kernel/cycle-picture.ts';
import { policyNames } from '../policies/policies.ts';
import { cellProtocol } from '../protocol.ts';
import { fastArbiter } from './arbiter.ts';
import { ArbitrationScheduler } from './arbitration-scheduler.ts';

const N = 4;
const input = (policy: string) => () => ({
  scheduler: new ArbitrationScheduler({ N, K: 1, policy, boundedWait: null, seed: 1 }),
  controller: 9,
  modules: [10, 11, 12, 13],
});
const values = { id: fc.nat(20), size: fc.integer({ min: 1, max: 6 }), issue: fc.nat(6), t: fc.nat(12) };
// It asks no request.
const undecided = { collecting: ['segment.taken', 'segment.declined', 'segment.reserved'] };

for (const policy of policyNames) {
  for (const { sentence, failures } of contractOf(`fast arbiter with ${policy}`, {
    machine: fastArbiter,
    input: input(policy),
    speaks: cellProtocol.roles.Arbiter,
    values,
    undecided,
    runs: 15,
    eventsMax: 25,
  })) {
    test(sentence, () => expect(failures()).toEqual([]));
  }
}

test('the fast arbiter decides at the end of a cycle for the next, and uses a freed segment at once (Cell specification 6)', () => {
  cycles(
    fastArbiter,
    input('etalon-ff')(),
    `
    cycle          0   1  2  3
    ring.request   ab  .  .  .   a = initiator 0, id 0, src 0, dst 2, size 2, issue 0; b = initiator 1, id 0, src 1, dst 3, size 1, issue 0
    arbiter.phase  a   b  c  d   a = t 0; b = t 1; c = t 2; d = t 3
    state          c   .  .  .   c = collecting
    ring.queued    ab  .  .  .   a = to 10, id 0; b = to 11, id 0
    ring.grant     ab  .  .  .   a = to 10, id 0, start 1; b = to 11, id 0, start 1
    ring.freed     .   a  b  .   a = to 11, id 0, t 1; b = to 10, id 0, t 2
    arbiter.done   a   b  c  d   a = to 9, pending 0, running 2, next 1; b = running 1, next 2; c = running 0; d = pending 0, running 0
    report         .   .  .  .
  `,
  );
});
