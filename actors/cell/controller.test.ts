import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractOf } from '../../kernel/contract.ts';
import { controller } from './controller.ts';
import { idleForever } from './program.ts';
import { cellProtocol } from './protocol.ts';

const input =
  (given: {
    readonly interleaving: 'ordered' | 'free';
    readonly cycles: number | null;
    readonly skipIdle: boolean;
  }) =>
  () => ({ spus: [1, 2], modules: [3, 4], arbiter: 5, ...given });
const t = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.constant(2) },
);
const next = fc.oneof(
  { weight: 1, arbitrary: fc.nat(5) },
  { weight: 3, arbitrary: fc.constant(idleForever) },
);
// All reports are about early cycles, so that many of them are about the present one.
const subject = {
  machine: controller,
  speaks: cellProtocol.roles.Controller,
  members: { Spu: [1, 2] },
  values: { t, next, content: fc.nat(3).map((one) => one > 0) },
  eventsMax: 70,
};

const reports = ['spu.done', 'dma.done'];
const undecided = {
  idle: [...reports, 'arbiter.done', 'cycle.advance'],
  phaseA: ['machine.start', 'cycle.advance'],
  advancing: ['machine.start', 'arbiter.done'],
  stuck: ['machine.start', ...reports, 'arbiter.done', 'cycle.advance'],
  stopped: ['machine.start', 'arbiter.done', 'cycle.advance'],
};
const busy = ['machine.start', 'arbiter.done', 'cycle.advance'];
const ordered = { ...undecided, phaseS: busy, phaseD: busy };
const free = { ...undecided, work: busy };

for (const { sentence, failures } of [
  ...contractOf('controller', {
    ...subject,
    input: input({ interleaving: 'ordered', cycles: null, skipIdle: true }),
    undecided: ordered,
    unreached: ['work'],
    // Only who has the turn is taken, so that it goes on more slowly.
    eventsMax: 160,
    runs: 300,
  }),
  ...contractOf('controller that leaves the order free', {
    ...subject,
    input: input({ interleaving: 'free', cycles: null, skipIdle: true }),
    undecided: free,
    unreached: ['phaseS', 'phaseD'],
    runs: 100,
  }),
  ...contractOf('controller of two cycles', {
    ...subject,
    input: input({ interleaving: 'free', cycles: 2, skipIdle: false }),
    undecided: Object.fromEntries(Object.entries(free).filter(([state]) => state !== 'stuck')),
    unreached: ['phaseS', 'phaseD', 'stuck'],
    eventsMax: 110,
  }),
]) {
  test(sentence, () => expect(failures()).toEqual([]));
}
