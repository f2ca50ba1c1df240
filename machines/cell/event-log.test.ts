import { expect, test } from 'vitest';
import { commandBus } from '../../actors/cell/command-bus.ts';
import { memoryModule } from '../../actors/cell/memory-module.ts';
import { ByteMemory } from '../../actors/common/byte-memory.ts';
import { TapeChoices } from '../../kernel/choices.ts';
import { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { CellAssembly } from './assembly.ts';
import { followEvents } from './event-log.ts';
import type { CellLogEvent } from './log-events.ts';

test('what parts report is in the log with its class, and what properties find is not', () => {
  const wiring = new Wiring();
  const bytes = new ByteMemory(8);
  const memory = wiring.place('Spu[0].Memory', memoryModule, { spu: 0, bytes });
  const bus = wiring.place('CommandBus', commandBus, { modules: [memory] });
  const access = { op: 'read', addr: 8, value: 0, by: 'dma', spu: 0, id: 0, t: 0 };
  wiring.begin({ to: memory, type: 'memory.access', ...access });
  wiring.begin({ to: bus, type: 'bus.release', spu: 0, t: 0 });
  const run = new Run(wiring);
  const log: CellLogEvent[] = [];
  followEvents(run, { memory: () => bytes } as unknown as CellAssembly, (event) => log.push(event));

  run.toEnd();
  run.report(['CommandBus'], { property: 'a sentence', why: 'it does not hold' });

  expect(
    log.filter(({ ev }) => ev === 'REPORT').map((event) => ({ ...event, n: undefined, text: undefined })),
  ).toEqual([
    { t: 0, ev: 'REPORT', class: 'FATAL', inv: 'only addresses 0..memSize-1 are touched' },
    { t: 0, ev: 'REPORT', class: 'SYNC', inv: 'only its holder uses the command bus' },
  ]);
});

test('what a schedule has picked is in the log, until the run is over', () => {
  const wiring = new Wiring();
  const bytes = new ByteMemory(8);
  const memories = [0, 1].map((spu) => wiring.place(`Spu[${spu}].Memory`, memoryModule, { spu, bytes }));
  for (const [spu, to] of memories.entries())
    wiring.begin({ to, type: 'memory.access', op: 'read', addr: 0, value: 0, by: 'dma', spu, id: 0, t: 0 });
  const run = new Run(wiring, { choices: new TapeChoices([1]) });
  const log: CellLogEvent[] = [];
  followEvents(run, { memory: () => bytes } as unknown as CellAssembly, (event) => log.push(event));

  run.toEnd();

  expect(log.filter(({ ev }) => ev === 'CHOICE')).toMatchObject([{ t: 0, count: 2, pick: 1 }]);
});
