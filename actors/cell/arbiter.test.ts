import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractOf } from '../../kernel/contract.ts';
import { cycles } from '../../kernel/cycle-picture.ts';
import { arbiter } from './arbiter.ts';
import { type PolicyName, policyNames } from './policies/policies.ts';
import { cellProtocol } from './protocol.ts';

const N = 4;
const input =
  (policy: PolicyName, boundedWait: { factor: number; cap: number | null } | null = null) =>
  () => ({
    N,
    K: 1,
    policy,
    boundedWait,
    seed: 1,
    controller: 9,
    modules: [10, 11, 12, 13],
    requests: [100, 200, 300, 400],
  });
const values = {
  id: fc.nat(20),
  size: fc.integer({ min: 1, max: 6 }),
  issue: fc.nat(6),
  t: fc.nat(12),
  ring: fc.constant(0),
  from: fc.integer({ min: 8, max: 20 }),
};

// The controller begins the phase and stops the machine while the arbiter collects; a request answers the offer it got (Cell specification 15.4).
const answers = ['segment.taken', 'segment.declined', 'segment.reserved'];
const outside = ['ring.request', 'arbiter.phase', 'machine.stop'];
const undecided = {
  collecting: answers,
  'deciding.offering': ['segment.reserved', ...outside],
  stopped: ['ring.request', 'arbiter.phase', ...answers],
};

const unhurried = ['segment.declined', ...outside];

for (const policy of policyNames) {
  const bounds = policy === 'sjf-detour' ? { factor: 0.01, cap: 1 } : null;
  for (const { sentence, failures } of contractOf(`arbiter with ${policy}`, {
    machine: arbiter,
    input: input(policy, bounds),
    speaks: cellProtocol.roles.Arbiter,
    values,
    undecided: bounds ? { ...undecided, 'hastening.offering': unhurried } : undecided,
    unreached: bounds ? [] : ['hastening.offering'],
    runs: 20,
    eventsMax: 25,
  })) {
    test(sentence, () => expect(failures()).toEqual([]));
  }
}

test('the arbiter offers segments one after the other at the end of a cycle, and uses a freed one at once (Cell specification 6)', () => {
  cycles(
    arbiter,
    input('etalon-ff')(),
    `
    cycle             0   1   2  3  4
    ring.request      ab  .   .  .  .   a = initiator 0, id 0, src 0, dst 2, size 2, issue 0; b = initiator 1, id 0, src 1, dst 3, size 1, issue 0
    arbiter.phase     a   .   .  b  .   a = t 0; b = t 1
    segment.taken     .   a   b  .  .   a = dir 0, ring 0; b = dir 1, ring 0
    state             o   .   c  .  .   o = deciding.offering, c = collecting
    ring.queued       ab  .   .  .  .   a = to 10, id 0; b = to 11, id 0
    segment.wanted    ab  .   .  .  .   a = to 100, size 2; b = to 200, size 1
    segment.offered   a   b   .  .  .   a = to 100, start 1, others 1; b = to 200, start 1, others 0
    ring.grant        .   .   ab .  .   a = to 10, id 0, start 1, dir 0; b = to 11, id 0, start 1, dir 1
    segment.freed     .   .   .  a  .   a = to 200
    ring.freed        .   .   .  a  .   a = to 11, id 0, t 1
    arbiter.done      .   .   a  b  .   a = to 9, pending 0, running 2, next 1; b = running 1, next 2
    report            .   .   .  .  .
  `,
  );
});

test('what a request takes from another one is reported and not granted', () => {
  cycles(
    arbiter,
    input('etalon-ff')(),
    `
    cycle             0   1   2
    ring.request      ab  .   .   a = initiator 0, id 0, src 0, dst 2, size 2, issue 0; b = initiator 1, id 0, src 1, dst 3, size 1, issue 0
    arbiter.phase     a   .   .   a = t 0
    segment.taken     .   a   a   a = dir 0, ring 0
    state             o   .   c   o = deciding.offering, c = collecting
    ring.queued       ab  .   .   a = to 10; b = to 11
    segment.wanted    ab  .   .   a = to 100; b = to 200
    segment.offered   a   b   .   a = to 100; b = to 200
    ring.grant        .   .   a   a = to 10, id 0, start 1, dir 0
    arbiter.done      .   .   a   a = pending 1, running 1
    report            .   .   a   a = property the policy grants only free segments to pending requests
  `,
  );
});
