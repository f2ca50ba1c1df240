import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ContractSubject, contractOf } from '../../kernel/contract.ts';
import type { Address } from '../../kernel/message.ts';
import { fixed } from '../../kernel/resource.ts';
import { programOf } from '../common/program.ts';
import type { BlockSpec } from './block/block.ts';
import { BroadcastMemory } from './block/broadcast-memory.ts';
import { LaneBlock } from './block/lane-block.ts';
import { ReferenceBlock } from './block/reference-block.ts';
import { broadcastBlock } from './broadcast-block.ts';
import { controlProcessor } from './control-processor.ts';
import { externalMemory } from './external-memory.ts';
import { host } from './host.ts';
import type { HostCall } from './host-calls.ts';
import { inputPort } from './input-port.ts';
import type { Job, Step } from './jobs.ts';
import { outputPort } from './output-port.ts';
import { peBroadcastShorts, processingElement } from './processing-element.ts';
import type { Nop, Program, Ref, Slot, Variable } from './program.ts';
import { grapeProtocol } from './protocol.ts';
import { reductionNetwork } from './reduction-network.ts';
import type { ChipTiming } from './timing.ts';

const { roles } = grapeProtocol;
/** Numbers of the blocks. */
const members = { Block: [0, 1] };
const at = (address: number) => address as Address;
const blocks = [at(10), at(11)];
const timing: ChipTiming = {
  slotMin: 4,
  idpHeader: 1,
  idpLatency: 2,
  levelCycles: 1,
  outCycles: 1,
  emLatency: 2,
  hostCall: 2,
  hostWord: 1,
  jPolicy: 'overlap',
  portPolicy: 'stall',
};

const word = fc.bigInt({ min: 0n, max: (1n << 72n) - 1n });
/** A word for places of both widths. */
const narrow = fc.bigInt({ min: 0n, max: (1n << 36n) - 1n });
const addr = fc.nat(7).map((long) => 2 * long);
const longs = fc.array(fc.nat(7), { maxLength: 3 });

const ref = (kind: Ref['kind'], address = 0): Ref => ({
  kind,
  addr: address,
  long: true,
  vector: true,
  stride: 1,
  text: '',
});
const bare: Slot = { kind: 'slot', line: 1, vlen: 4, mi: 0, mof: 0, moi: 0 };
const adds: Slot = {
  ...bare,
  moi: 1,
  add: { unit: 'ialu', op: 'add', signed: false, a: ref('grf'), b: ref('t'), dst: [ref('grf'), ref('t')] },
};
const loads: Slot = { ...bare, vlen: 2, bm: { toPe: true, bm: ref('bm'), pe: ref('grf') } };
const stores: Slot = { ...bare, mi: 1, bm: { toPe: false, bm: ref('bm', 4), pe: ref('grf'), peid: 1 } };
const takes: Slot = { ...bare, idp: { elt: 0, region: 'jdata', mode: 1, bbid: -1 } };
const gives: Slot = {
  ...bare,
  rrn: { op: 'uadd', mem: ref('bm'), n: 2, round: false, odpoe: true, sregen: true, conv: 'fix72to64r' },
};
const readsOut: Slot = { ...gives, rrn: { ...gives.rrn!, op: '1' } };
const slot = fc.constantFrom<(Slot | null)[]>(null, adds, loads, stores);

const variable = (name: string, kind: 'elt' | 'hlt' | 'rrn', place: number): Variable => ({
  name,
  space: kind === 'elt' ? 'bm' : 'lm',
  addr: place,
  long: true,
  vector: kind !== 'elt',
  placed: false,
  transfer:
    kind === 'rrn' ? { kind, num: 0, conv: 'flt72to64', redop: 'fadd' } : { kind, num: 0, conv: 'flt64to72' },
});

const nop: Nop = { kind: 'nop', line: 2, vlen: 4, count: 2 };
const program: Program = {
  prefix: 'small',
  type: 1,
  symbols: [variable('x', 'elt', 0), variable('y', 'hlt', 0), variable('z', 'rrn', 8)],
  aliases: {},
  constants: [{ name: 'const0', addr: 16, long: true, word: 5n }],
  regions: [],
  sections: {
    preamble: [],
    initialization: [adds],
    loopInitialization: [nop],
    loopBody: [loads, adds, nop],
    loopFinalization: [stores],
  },
};

const step = fc.constantFrom<Step[]>(
  ...[adds, loads, takes, gives, readsOut].map(
    (one): Step => ({ kind: 'slot', slot: one, section: 'loopBody' }),
  ),
  { kind: 'nop', nop, section: 'library' },
  { kind: 'packets', packets: [{ addr: 0, long: true, words: [1n], pause: 0 }] },
  { kind: 'visible', packet: 0 },
  { kind: 'table', elt: 0 },
  { kind: 'ports' },
  {
    kind: 'look',
    item: { kind: 'DBG', line: 3, what: 'BM 0 0 1', of: 'BM', bb: 0, from: 0, to: 1 },
  },
);
const steps = fc.array(step, { maxLength: 4 });
const anyJob: fc.Arbitrary<Job> = fc.record({
  name: fc.constant('run'),
  before: steps,
  body: steps,
  after: steps,
  passes: fc.nat(3),
  feeds: fc.boolean(),
  refillStep: fc.integer({ min: -1, max: 3 }),
  rewinds: fc.boolean(),
  resets: fc.boolean(),
});

const packets: readonly Step[] = [
  { kind: 'packets', packets: [{ addr: 0, long: true, words: [1n], pause: 0 }] },
  { kind: 'visible', packet: 0 },
];

/** Jobs of all kinds; some that wait for records before each pass, or for a packet. */
const job = fc.oneof(
  { weight: 1, arbitrary: anyJob.map((one) => ({ ...one, before: packets })) },
  { weight: 2, arbitrary: anyJob },
  { weight: 1, arbitrary: anyJob.map((one) => ({ ...one, before: [], feeds: true, passes: 2 })) },
);

const blockSpec: BlockSpec = {
  nPE: 2,
  number: 1,
  lmShort: 32,
  grfShort: 16,
  bmShort: 32,
  mode: 'pipelined',
};
const blockInput = (block: () => LaneBlock | ReferenceBlock, detail: 'element' | 'slot') => () => ({
  number: 1,
  control: at(1),
  reduction: at(4),
  block: block(),
  detail,
});
const ofBlock = {
  speaks: roles.Block,
  weights: { 'slot.issue': 4, 'block.tick': 12 },
  values: {
    length: fc.constantFrom(1, 2, 4, 6),
    slot,
    item: fc.constant({ kind: 'DBG', line: 3, what: '', of: 'BM', bb: 1, from: 0, to: 1 }),
    longs,
    word: narrow,
  },
};

// The block tells of a slot from its beginning to its end, and shows its PEs between two.
const elementUndecided = {
  idle: ['pe.element', 'pe.retire'],
  ...Object.fromEntries(
    ['begun', 'el0', 'el1', 'el2', 'el3'].map((element) => [
      `working.${element}`,
      ['pe.begin', 'pe.look', 'pe.pass', 'pe.reset', ...(element === 'el3' ? ['pe.element'] : [])],
    ]),
  ),
};

const controlInput = (changes: Partial<ChipTiming> = {}) => ({
  host: at(0),
  blocks,
  inputPort: at(3),
  reduction: at(4),
  timing: { ...timing, ...changes },
});
const ofControl = {
  speaks: roles.ControlProcessor,
  weights: { 'control.run': 3, 'control.tick': 6, 'slot.done': 6, 'idp.done': 3, 'rrn.done': 3 },
  values: { job, seq: fc.nat(9), after: fc.nat(6), packet: fc.nat(1) },
};

const units = [
  { addr: 0, long: true },
  { addr: 2, long: true },
];
const op = fc.constantFrom('fadd', 'uadd', 'imax', 'upassb', '1');

const calls: readonly HostCall[] = [
  { call: 'getResult' },
  { call: 'init' },
  { call: 'sendEltData', num: 0, record: { x: 1.5 }, index: 0 },
  { call: 'sendEltData', num: 0, record: { x: 1.5 }, index: 99 },
  { call: 'sendIParticle', particles: [{ y: 1 }, { y: 2 }] },
  { call: 'sendHltData', num: 0, record: { y: [1, 2, 3, 4] }, peindex: 0 },
  { call: 'sendIParticle', particles: [{ y: 1 }] },
  { call: 'registerIParticleConversion' },
  { call: 'run', n: 2 },
  { call: 'run', n: -1 },
  { call: 'type2Run', n: 1 },
  { call: 'alone' },
];
const hostInput = (running: boolean) => () => ({
  control: at(1),
  memory: at(2),
  chip: fixed(program),
  nBB: 2,
  nPE: 2,
  emLong: 8,
  timing,
  compat: { narrowMode: 'nearest' as const, autoRegister: false, emClobber: true },
  program: running ? programOf<HostCall, undefined>(calls) : null,
});
// The host makes one call after another, and hears of the chip only what a call has asked for.
const hostUndecided = {
  idle: ['control.done', 'host.linked', 'host.result'],
  linking: ['control.done', 'host.begin', 'host.call', 'host.result'],
  running: ['host.begin', 'host.call', 'host.linked'],
  bringing: ['control.done', 'host.begin', 'host.call', 'host.result'],
};
const ofHost = {
  speaks: roles.Host,
  weights: { 'host.call': 2, 'host.linked': 6, 'control.done': 4 },
  values: {
    call: fc.constantFrom(...calls),
    bits: fc.array(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), { minLength: 1, maxLength: 1 }),
    conv: fc.constant('flt72to64'),
    cycles: fc.nat(9),
    fault: fc.constantFrom(null, 'X_EM_RANGE: record 5'),
  },
  undecided: hostUndecided,
};

// The control processor takes the next job when it has answered; ticks come to one that goes on from slot to slot.
const controlUndecided = {
  idle: ['control.tick'],
  busy: ['control.run'],
  portWait: ['control.run'],
  'loadJ.portWait': ['control.run'],
  'loadJ.transfer': ['control.run'],
  packetWait: ['control.run'],
  'drain.portWait': ['control.run'],
  'drain.emptySlot': ['control.run'],
  'drain.lastSlots': ['control.run', 'control.tick'],
};
// A port gets one transfer at a time, and from its partners only what it asked for.
const inputUndecided = {
  free: ['em.opened', 'em.refused', 'em.word', 'idp.tick'],
  opening: ['em.word', 'idp.packets', 'idp.start', 'idp.tick'],
  header: ['em.opened', 'em.refused', 'em.word', 'idp.packets', 'idp.start'],
  fetching: ['em.opened', 'em.refused', 'idp.packets', 'idp.start', 'idp.tick'],
  tail: ['em.opened', 'em.refused', 'em.word', 'idp.tick'],
};
const reductionUndecided = {
  free: ['bm.word', 'rrn.next'],
  read: ['rrn.next', 'rrn.start'],
  pause: ['bm.word', 'rrn.start'],
  out: ['bm.word', 'rrn.next'],
};
/** Contexts that hold words hold bigints, which JSON does not know. */
const exceptWords = 'its state survives JSON';

describe.each<[string, ContractSubject]>([
  [
    'block of lanes',
    {
      machine: broadcastBlock,
      input: blockInput(() => new LaneBlock(blockSpec), 'slot'),
      ...ofBlock,
    },
  ],
  [
    'block of the reference',
    {
      machine: broadcastBlock,
      input: blockInput(() => new ReferenceBlock(blockSpec), 'element'),
      ...ofBlock,
    },
  ],
  [
    'block whose PEs are actors',
    {
      machine: broadcastBlock,
      input: () => ({
        ...blockInput(() => new LaneBlock(blockSpec), 'slot')(),
        block: new BroadcastMemory(blockSpec),
        pes: [at(12), at(13)],
      }),
      ...ofBlock,
    },
  ],
  [
    'PE that is an actor',
    {
      machine: processingElement,
      input: () => ({
        number: 1,
        blockNumber: 1,
        owner: at(11),
        control: at(1),
        block: new LaneBlock({ ...blockSpec, nPE: 1, firstPe: 1, bmShort: peBroadcastShorts }),
      }),
      speaks: roles.Pe,
      weights: { 'pe.begin': 2, 'pe.element': 4, 'pe.retire': 2 },
      values: {
        slot: fc.constantFrom(adds, loads, stores),
        word: fc.option(word),
        item: fc.constant({ kind: 'DBG', line: 3, what: '', of: 'TREG', bb: 1, pe: 1, from: 0, to: 3 }),
      },
      undecided: elementUndecided,
    },
  ],
  [
    'control processor',
    {
      machine: controlProcessor,
      input: () => controlInput(),
      ...ofControl,
      undecided: controlUndecided,
    },
  ],
  [
    'control processor with faults at busy ports',
    {
      machine: controlProcessor,
      input: () => controlInput({ portPolicy: 'fault', jPolicy: 'serial' }),
      ...ofControl,
      undecided: controlUndecided,
    },
  ],
  [
    'input port',
    {
      machine: inputPort,
      input: () => ({ control: at(1), memory: at(2), blocks, timing }),
      speaks: roles.InputPort,
      weights: { 'idp.tick': 3, 'em.word': 3 },
      values: {
        elt: fc.nat(1),
        bbid: fc.integer({ min: -1, max: 2 }),
        packets: fc.array(
          fc.record({
            addr,
            long: fc.boolean(),
            words: fc.array(narrow, { minLength: 1, maxLength: 4 }),
            pause: fc.nat(2),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        units: fc.constant(units),
      },
      undecided: inputUndecided,
    },
  ],
  [
    'reduction network',
    {
      machine: reductionNetwork,
      input: () => ({ control: at(1), output: at(5), blocks, timing }),
      speaks: roles.ReductionNetwork,
      weights: { 'rrn.start': 2, 'rrn.next': 2, 'bm.word': 6 },
      values: {
        op,
        n: fc.integer({ min: 1, max: 3 }),
        conv: fc.constant('fix72to64w'),
        index: fc.nat(2),
        level: fc.constant(1),
        task: op.map((op) => ({
          type: 'rrn.start',
          op,
          addr: 0,
          long: true,
          n: 2,
          round: false,
          odpoe: true,
          sregen: true,
          conv: 'fix72to64w',
        })),
        words: fc.array(word, { minLength: 2, maxLength: 2 }),
      },
      undecided: reductionUndecided,
    },
  ],
  [
    'external memory',
    {
      machine: externalMemory,
      input: () => ({
        inputPort: at(3),
        latency: 2,
        tables: [
          { elt: 0, records: 4, units },
          { elt: 1, records: null, units },
        ],
      }),
      speaks: roles.ExternalMemory,
      values: {
        'em.open.elt': fc.nat(2),
        elt: fc.nat(1),
        record: fc.nat(4),
        records: fc.integer({ min: 1, max: 2 }),
        unit: fc.nat(1),
        words: fc.array(word, { minLength: 2, maxLength: 2 }),
      },
    },
  ],
  [
    'output port',
    {
      machine: outputPort,
      input: () => ({ host: at(0), outCycles: 2 }),
      speaks: roles.OutputPort,
      values: {
        op: fc.constantFrom('fadd', 'faddO', 'uadd'),
        conv: fc.constantFrom('flt72to64', 'fix72to64w'),
      },
    },
  ],
  ['host that is called', { machine: host, input: hostInput(false), ...ofHost }],
  ['host with a program', { machine: host, input: hostInput(true), ...ofHost }],
])('%s', (name, subject) => {
  for (const { sentence, failures } of contractOf(name, {
    runs: 30,
    members,
    ...subject,
    values: { addr, ...subject.values },
  }).filter((one) => !one.sentence.endsWith(exceptWords)))
    test(sentence, () => expect(failures()).toEqual([]));
});
