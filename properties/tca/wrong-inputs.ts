import type { Inputs, WrongInput } from '../refused-inputs.ts';

const list = (...operations: readonly object[]): Readonly<Record<string, unknown>> => ({
  programs: [operations],
});
const nodes = (topology: string, count: number): Readonly<Record<string, unknown>> => ({
  ...{ 'config.nodes': count, 'config.topology': topology },
});
/** A transfer whose bytes at `end` end behind the memory there, or not. */
const start = (descriptor: object): Readonly<Record<string, unknown>> =>
  list({ op: 'start', channel: 0, chain: [descriptor] });
const cpu = 0x20_0000;
const gpu = 0x10_0000;
const at = (offset: number, region = 'cpu', rank = 1): readonly unknown[] => [rank, region, offset];
const [first, second] = [at(0, 'cpu', 0), at(64)];
const put = (change: object): object => ({ from: first, to: second, size: 8, ...change });
const outside = (from: number, to: number): string => `bytes ${from} to ${to}`;
const inPlace = (change: Readonly<Record<string, unknown>>, place: string, found: string): WrongInput =>
  [...[change, found, `programs.0.0.${place}`]] as unknown as WrongInput;

/** What several keys of a scenario decide together (TCA specification 3, 5, 10, 11). */
export const tcaInputs: Inputs = {
  right: { config: { nodes: 4, topology: 'ring', cpuBytes: cpu, gpuBytes: gpu }, programs: [] },
  wrong: [
    [nodes('pair', 2), ''],
    [nodes('pair', 3), '3 nodes in a pair', 'nodes'],
    [nodes('ring', 8), ''],
    [nodes('ring', 9), '9 nodes in a ring', 'nodes'],
    [nodes('ring', 7), ''],
    [nodes('dualRing', 16), ''],
    [nodes('dualRing', 15), '15 nodes in a dualRing', 'nodes'],
    [{ 'config.parameters': { tagsPerChannel: [16, 16, 16, 16] } }, ''],
    [
      { 'config.parameters': { tagsPerChannel: [16, 16, 16, 17] } },
      '65 tags',
      'config.parameters.tagsPerChannel',
    ],
    [{ programs: { job: 'himeno' } }, 'a job of GASNet on nodes without it', 'programs.job'],
    [{ programs: [[], [], [], []] }, ''],
    [{ programs: [[], [], [], [], []] }, 'program number 4', 'programs.4'],
    [{ programs: [[], { gasnet: [] }] }, 'calls of GASNet on nodes without it', 'programs.1'],
    [{ 'config.gasnet': {}, programs: [[], { gasnet: [] }] }, ''],
    [{ 'config.gasnet': {}, 'config.cpuBytes': 8192 }, '8192 bytes of CPU memory', 'config.cpuBytes'],
    [list({ op: 'pio', to: at(cpu - 2), bytes: [1, 2] }), ''],
    inPlace(list({ op: 'pio', to: at(cpu - 1), bytes: [1, 2] }), 'to', outside(cpu - 1, cpu)),
    inPlace(list({ op: 'pio', to: at(0, 'cpu', 4), bytes: [1] }), 'to.0', 'node 4'),
    [list({ op: 'pio', to: at(0, 'cpu', 3), bytes: [1] }), ''],
    [list({ op: 'copy', from: at(gpu - 8, 'gpu', 0), to: first, size: 8 }), ''],
    inPlace(
      list({ op: 'copy', from: at(gpu - 7, 'gpu', 0), to: first, size: 8 }),
      'from',
      outside(gpu - 7, gpu),
    ),
    inPlace(list({ op: 'copy', from: first, to: at(cpu, 'cpu', 0), size: 0 }), 'to', outside(cpu, cpu)),
    [list({ op: 'wait', flags: [{ source: 3, slot: 0 }] }), ''],
    inPlace(list({ op: 'wait', flags: [{ source: 4, slot: 0 }] }), 'flags.0.source', 'node 4'),
    [start({ notify: 3, slot: 0 }), ''],
    inPlace(start({ notify: 4, slot: 0 }), 'chain.0.notify', 'node 4'),
    [start({ to: at(cpu - 3), bytes: [1, 2, 3] }), ''],
    inPlace(start({ to: at(cpu - 2), bytes: [1, 2, 3] }), 'chain.0.to', outside(cpu - 2, cpu)),
    [start(put({ to: at(cpu - 8) })), ''],
    inPlace(start(put({ to: at(cpu - 7) })), 'chain.0.to', outside(cpu - 7, cpu)),
    inPlace(start(put({ from: at(cpu - 7, 'cpu', 0) })), 'chain.0.from', outside(cpu - 7, cpu)),
    [start(put({ to: at(cpu - 40), count: 3, toStride: 16 })), ''],
    inPlace(start(put({ to: at(cpu - 39), count: 3, toStride: 16 })), 'chain.0.to', outside(cpu - 39, cpu)),
    [start(put({ from: at(32, 'cpu', 0), count: 3, fromStride: -16 })), ''],
    inPlace(
      start(put({ from: at(31, 'cpu', 0), count: 3, fromStride: -16 })),
      'chain.0.from',
      outside(-1, 38),
    ),
    [start(put({ size: 0, to: at(cpu - 1) })), ''],
  ],
};
