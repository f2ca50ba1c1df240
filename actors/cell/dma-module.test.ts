import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractOf } from '../../kernel/contract.ts';
import { dmaModule } from './dma-module.ts';
import { cellProtocol } from './protocol.ts';

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
const few = fc.integer({ min: 1, max: 2 });
const subject = {
  machine: dmaModule,
  speaks: cellProtocol.roles.Dma,
  values: {
    id: fc.constantFrom(0, 0, 0, 1),
    t: few,
    start: few,
    my: fc.nat(16),
    addr: fc.nat(16),
    peer: fc.nat(3),
    size: fc.constantFrom(0, 1, 2, 3, 17),
  },
  weights: {
    'dma.request': 2,
    'ring.grant': 2,
    'dma.phase': 2,
    'bus.granted': 2,
    'bus.released': 2,
    'memory.reply': 4,
    'request.noted': 4,
  },
  eventsMax: 80,
};

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
    ...subject,
    input: input({ maxOutstanding: 2, anyOrder: false }),
    undecided,
  }),
  ...contractOf('DMA module that serves in any order', {
    ...subject,
    input: input({ maxOutstanding: null, anyOrder: true }),
    undecided,
  }),
]) {
  test(sentence, () => expect(failures()).toEqual([]));
}
