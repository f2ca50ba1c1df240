import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractOf } from '../../kernel/contract.ts';
import { dmaModule } from './dma-module.ts';

const input = (given: { readonly maxOutstanding: number | null; readonly anyOrder: boolean }) => () => ({
  spu: 1,
  intake: { N: 3, memSize: 16, selfTransfer: 'point', zeroSize: 'complete' },
  owner: 1,
  arbiter: 2,
  bus: 3,
  controller: 4,
  memories: [5, 6, 7],
  requests: 2 ** 20,
  ...given,
});
const id = fc.nat(1);
const t = fc.integer({ min: 1, max: 2 });
const start = fc.integer({ min: 1, max: 2 });
const one = (type: string) => fc.record({ type: fc.constant(type) });
const events = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('dma.request'),
      kind: fc.constantFrom('get', 'put'),
      my: fc.nat(16),
      peer: fc.nat(3),
      addr: fc.nat(16),
      size: fc.oneof(fc.nat(3), fc.constant(17)),
      t,
    }),
  },
  fc.record({ type: fc.constant('status.query'), id, t }),
  one('ring.queued'),
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('ring.grant'), id, start, dir: fc.nat(1), ring: fc.nat(1) }),
  },
  fc.record({ type: fc.constant('ring.freed'), id, t }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant('dma.phase'), t }) },
  { weight: 2, arbitrary: one('bus.granted') },
  { weight: 2, arbitrary: one('bus.released') },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('memory.reply'), value: fc.nat(255) }) },
  { weight: 4, arbitrary: one('request.noted') },
);

// Each answer comes to the state that waits for it alone, and a cycle begins when the one before is over (Cell specification 15.3).
const ofEngine = ['dma.phase', 'bus.granted', 'bus.released', 'memory.reply', 'request.noted'];
const except = (own: string) => ofEngine.filter((type) => type !== own);
const undecided = {
  'intake.ready': ['ring.queued'],
  'intake.queueing': ['dma.request'],
  'engine.waiting': except('dma.phase'),
  'engine.starting': except('request.noted'),
  'engine.acquiring': except('bus.granted'),
  'engine.commanding': except('bus.released'),
  'engine.moving.reading': except('memory.reply'),
  'engine.moving.writing': except('memory.reply'),
  'engine.counting': except('request.noted'),
};

for (const { sentence, failures } of [
  ...contractOf('DMA module', {
    machine: dmaModule,
    input: input({ maxOutstanding: 2, anyOrder: false }),
    events,
    undecided,
    eventsMax: 80,
  }),
  ...contractOf('DMA module that serves in any order', {
    machine: dmaModule,
    input: input({ maxOutstanding: null, anyOrder: true }),
    events,
    undecided,
    eventsMax: 80,
  }),
]) {
  test(sentence, () => expect(failures()).toEqual([]));
}
