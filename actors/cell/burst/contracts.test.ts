import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ContractSubject, contractOf } from '../../../kernel/contract.ts';
import { ByteMemory } from '../../common/byte-memory.ts';
import { ArbitrationScheduler } from '../fast/arbitration-scheduler.ts';
import { endCycle, get, put, read, status, write } from '../instructions.ts';
import { GeneratorProgram, SaturateProgram, type SpuProgram, TimedProgram } from '../program.ts';
import { burstProtocol } from '../protocol.ts';
import { RequestTable } from '../request-table.ts';
import { burstArbiter } from './arbiter.ts';
import { burstController } from './controller.ts';
import { burstDmaModule } from './dma-module.ts';
import { LocalStores } from './local-stores.ts';
import { Roster } from './roster.ts';
import { burstSpu } from './spu.ts';

const N = 3;
const memSize = 128;
const storesOf = () => new LocalStores(Array.from({ length: N }, () => new ByteMemory(memSize)));
const spus = [10, 11, 12];

/** A table in which the first two requests are known, the first of them granted. */
function tableOf(): RequestTable {
  const table = new RequestTable(1);
  table.accept('put', 0, 2, 4, 3, 0);
  table.accept('get', 8, 0, 0, 2, 0);
  return table;
}

const spuInput =
  (program: () => SpuProgram, maxOutstanding: number | null = null) =>
  () => ({
    spu: 1,
    intake: { N, memSize, selfTransfer: 'point', zeroSize: 'complete' },
    maxOutstanding,
    maxInstrPerCycle: 6,
    program: program(),
    stores: storesOf(),
    table: tableOf(),
    roster: new Roster(N),
    spus,
    arbiter: 20,
    controller: 21,
  });

const { Controller, Spu, Dma, Arbiter } = burstProtocol.roles;

/** Reads, writes, asks and issues; now and then it does something wrong. */
const wandering = () =>
  new GeneratorProgram(function* () {
    for (let step = 0; step < 12; step++) {
      const id = yield step % 2 ? put(step, 2, 3, 4) : get(step, 0, 1, 2);
      yield write(step, 7 * step);
      const byte = yield read(step);
      const answer = yield status(id as never);
      if (typeof answer === 'object' && (byte as never) === 0) yield endCycle(1 + (step % 3));
      yield endCycle();
      if (step === 9) yield write(memSize, 0);
    }
  });
const timed = () =>
  new TimedProgram([
    { cycle: 0, instruction: write(3, 4) },
    { cycle: 1, instruction: get(0, 2, 3, 4) },
    { cycle: 1, instruction: status(2) },
    { cycle: 4, instruction: read(3) },
  ]);
const closedLoop = () =>
  new SaturateProgram(
    { outstanding: 2, perSpu: 3, sizeMin: 1, sizeMax: 4, seed: 5, localOps: 1 },
    1,
    N,
    memSize,
  );

/** SPUs that begin in cycle 0 and want nothing any more once they have had the baton. */
class SpentRoster extends Roster {
  override get earliest(): number {
    return Number.MAX_SAFE_INTEGER;
  }
  override get allContent(): boolean {
    return this.content[0] === 1;
  }
  override fork(): SpentRoster {
    const copy = new SpentRoster(N);
    copy.content.set(this.content);
    return copy;
  }
}

const controllerInput =
  (cycles: number | null, content = 0) =>
  () => {
    const roster = new SpentRoster(N);
    roster.content[0] = content;
    return { spus, arbiter: 20, cycles, skipIdle: true, stores: storesOf(), roster };
  };
const next = fc.oneof(fc.nat(9), fc.constant(Number.MAX_SAFE_INTEGER));
const answers = ['cycle.baton', 'arbiter.done', 'cycle.advance'];
const butFor = (own: string) => ['machine.start', ...answers.filter((type) => type !== own)];
const controllerUndecided = {
  idle: answers,
  phaseS: butFor('cycle.baton'),
  phaseA: butFor('arbiter.done'),
  advancing: butFor('cycle.advance'),
  stuck: ['machine.start', ...answers],
  stopped: ['machine.start', ...answers],
};
// The controller does not call an SPU that is halted.
const spuUndecided = { halted: ['cycle.baton'] };

describe.each<[string, ContractSubject]>([
  [
    'SPU with a generator',
    { machine: burstSpu, input: spuInput(wandering), speaks: Spu, undecided: spuUndecided },
  ],
  [
    'SPU with a limit',
    { machine: burstSpu, input: spuInput(wandering, 1), speaks: Spu, undecided: spuUndecided },
  ],
  [
    'SPU with a timed list',
    { machine: burstSpu, input: spuInput(timed), speaks: Spu, undecided: spuUndecided },
  ],
  [
    'SPU with the closed loop',
    { machine: burstSpu, input: spuInput(closedLoop), speaks: Spu, undecided: spuUndecided },
  ],
  [
    'DMA module',
    {
      machine: burstDmaModule,
      input: () => ({ spu: 1, table: tableOf(), stores: storesOf() }),
      speaks: Dma,
      values: { id: fc.nat(1), start: fc.integer({ min: 1, max: 4 }), t: fc.nat(6) },
    },
  ],
  [
    'arbiter',
    {
      machine: burstArbiter,
      input: () => ({
        scheduler: new ArbitrationScheduler({ N, K: 1, policy: 'etalon-ff', boundedWait: null, seed: 1 }),
        controller: 21,
        modules: [11, 12, 13],
      }),
      speaks: Arbiter,
      members: { Spu: spus },
      values: { id: fc.nat(9), size: fc.integer({ min: 1, max: 4 }), issue: fc.nat(4), t: fc.nat(6) },
    },
  ],
  [
    'controller',
    {
      machine: burstController,
      input: controllerInput(null),
      speaks: Controller,
      values: { next, pending: fc.nat(1), running: fc.nat(1) },
      undecided: { ...controllerUndecided, stopped: [] },
      unreached: ['stopped'],
    },
  ],
  [
    'controller of SPUs that are content',
    {
      machine: burstController,
      input: controllerInput(null, 1),
      speaks: Controller,
      values: { next, pending: fc.nat(1), running: fc.nat(1) },
      undecided: controllerUndecided,
    },
  ],
  [
    'controller of a limited run',
    {
      machine: burstController,
      input: controllerInput(5),
      speaks: Controller,
      values: { next, pending: fc.nat(1), running: fc.nat(1) },
      undecided: { ...controllerUndecided, stuck: [] },
      unreached: ['stuck'],
    },
  ],
])('burst %s', (name, subject) => {
  for (const { sentence, failures } of contractOf(name, { runs: 40, ...subject }))
    test(sentence, () => expect(failures()).toEqual([]));
});
