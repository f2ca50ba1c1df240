import { expect, test } from 'vitest';
import type { HostProgram } from '../../actors/chiplet/gpu/host-operations.ts';
import { defaultTiming } from '../../actors/chiplet/gpu/timing.ts';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { wireCpuChiplet } from '../../machines/chiplet/cpu-chiplet.ts';
import { soundChipletParts, wireGpuChiplet } from '../../machines/chiplet/gpu-chiplet.ts';
import { chipletPartMutants } from '../../machines/chiplet/gpu-mutants.ts';
import { instantCarrier } from '../../machines/chiplet/testing/instant-carrier.ts';
import { withMutants } from '../../machines/mutant.ts';
import { watch } from '../property.ts';
import { examples } from './ptx-examples.ts';
import {
  blocksRunOnce,
  channelsServeOneByOne,
  gpuProperties,
  messagesLeaveInOrder,
  receivesGetWhatCame,
} from './ptx-properties.ts';

const timing = { ...defaultTiming, cores: 3, memory: { ...defaultTiming.memory, channels: 2 } };

const context = { timing, queue: true };

/** Values go to a chiplet, through a kernel, and back: what came back, and what the properties raise. */
function trial(mutants: readonly string[], seed?: number) {
  const { text, given } = examples['reversal through shared memory']!;
  const { values: buffer } = given.buffers;
  const values = buffer!.data.map(Number);
  const came: number[] = [];
  const cpu: HostProgram = function* () {
    yield { op: 'send', to: [0, 1], values };
    came.push(...((yield { op: 'receive', from: [0, 1], count: values.length }) as readonly number[]));
  };
  const gpu: HostProgram = function* () {
    const address = (yield { op: 'malloc', bytes: 4 * values.length }) as number;
    const first = (yield { op: 'receive', from: [0, 0], count: values.length }) as readonly number[];
    yield { op: 'copyIn', address, type: 'u32', values: first };
    const { grid, block, dynamicSharedBytes = 0 } = given;
    yield { op: 'launch', kernel: given.entry, grid, block, args: [address, 5], dynamicSharedBytes };
    const out = (yield { op: 'copyOut', address, type: 'u32', count: values.length }) as readonly number[];
    yield { op: 'send', to: [0, 0], values: out };
  };
  const parts = withMutants(soundChipletParts, chipletPartMutants, mutants);
  const wiring = new Wiring();
  const carrier = wiring.reserve('Carrier');
  const ptx = compilePtx([{ file: 'example.ptx', text }]);
  const main = wireCpuChiplet(wiring, { at: [0, 0], program: cpu, carrier }, parts);
  const device = { at: [0, 1], program: gpu, carrier, ptx, timing, coreDetail: 'warp' } as const;
  const other = wireGpuChiplet(wiring, device, parts);
  wiring.place(carrier, instantCarrier, { mailboxes: { '0,0': main.mailbox, '0,1': other.mailbox } });
  const run = new Run(wiring, seed === undefined ? {} : { choices: new RandomChoices(seed) });
  const watched = watch(run, gpuProperties(context));
  const { violations, failure, deadlock } = run.toEnd();
  watched.end();
  const raised = [...new Set([...violations, ...run.outcome.violations].map((one) => one.property))];
  return { came, raised: [...raised, ...(failure ? ['failure'] : []), ...(deadlock ? ['deadlock'] : [])] };
}

const sound = trial([]);

test('nothing is raised by sound chiplets, under any order of deliveries', () => {
  expect(sound.raised).toEqual([]);
  expect(sound.came).toHaveLength(320);
  for (let seed = 0; seed < 8; seed++) {
    const { came, raised } = trial([], seed);
    expect(raised).toEqual([]);
    expect(came).toEqual(sound.came);
  }
});

test('every property catches a fault of the catalogue', () => {
  const raisedBy = (id: string) => trial([id]).raised;

  expect(raisedBy('M-01')).toContain(messagesLeaveInOrder.sentence);
  expect(raisedBy('M-02')).toContain(receivesGetWhatCame(context).sentence);
  expect(raisedBy('M-03')).toContain(channelsServeOneByOne(context).sentence);
  expect(raisedBy('M-04')).toContain(blocksRunOnce.sentence);
});

test('a barrier that opens one early is seen in the results (M-05)', () => {
  const seeds = [1, 2, 3, 4, 5, 6];
  expect(seeds.some((seed) => trial(['M-05'], seed).came.join() !== sound.came.join())).toBe(true);
});
