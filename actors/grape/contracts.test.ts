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
import { reductionNetwork } from './reduction-network.ts';
import type { ChipTiming } from './timing.ts';

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
const reading = { addr, long: fc.boolean(), index: fc.nat(3) };
const blockEvents = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('slot.issue'),
      seq: fc.nat(9),
      length: fc.constantFrom(1, 2, 4, 6),
      slot,
    }),
  },
  { weight: 12, arbitrary: fc.record({ type: fc.constant('block.tick') }) },
  fc.record({
    type: fc.constant('block.look'),
    number: fc.nat(3),
    item: fc.constant({ kind: 'DBG', line: 3, what: '', of: 'BM', bb: 1, from: 0, to: 1 }),
  }),
  fc.record({ type: fc.constant('block.reset') }),
  fc.record({ type: fc.constant('bm.announce'), longs }),
  fc.record({ type: fc.constant('bm.write'), after: fc.nat(4), addr, long: fc.boolean(), word }),
  fc.record({ type: fc.constant('bm.reserve'), longs }),
  fc.record({ type: fc.constant('bm.read'), ...reading }),
  fc.record({ type: fc.constant('bm.readout'), ...reading }),
);

const elementEvents = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('pe.begin'), slot: fc.constantFrom(adds, loads, stores) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('pe.element'), element: fc.nat(3), word: fc.option(word) }),
  },
  { weight: 2, arbitrary: fc.constant({ type: 'pe.retire' }) },
  fc.constant({ type: 'pe.pass' }),
  fc.constant({ type: 'pe.reset' }),
  fc.record({
    type: fc.constant('pe.look'),
    number: fc.nat(3),
    item: fc.constant({ kind: 'DBG', line: 3, what: '', of: 'TREG', bb: 1, pe: 1, from: 0, to: 3 }),
  }),
);
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
const controlEvents = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('control.run'), job }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('control.tick') }) },
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('slot.done'), seq: fc.nat(9), block: fc.nat(1) }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('idp.done'), after: fc.nat(6) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('rrn.done'), after: fc.nat(6) }) },
  fc.record({ type: fc.constant('idp.visible'), packet: fc.nat(1), after: fc.nat(6) }),
  fc.record({ type: fc.constant('idp.refused'), why: fc.constant('no such record') }),
  fc.record({
    type: fc.constant('block.seen'),
    number: fc.nat(2),
    block: fc.nat(1),
    words: fc.array(word, { maxLength: 2 }),
  }),
);

const units = [
  { addr: 0, long: true },
  { addr: 2, long: true },
];
const inputEvents = fc.oneof(
  fc.record({
    type: fc.constant('idp.start'),
    elt: fc.nat(1),
    mode: fc.nat(2),
    bbid: fc.integer({ min: -1, max: 2 }),
  }),
  fc.record({
    type: fc.constant('idp.packets'),
    packets: fc.array(
      fc.record({
        addr,
        long: fc.boolean(),
        words: fc.array(word, { minLength: 1, maxLength: 4 }),
        pause: fc.nat(2),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  { weight: 3, arbitrary: fc.record({ type: fc.constant('idp.tick') }) },
  fc.constant({ type: 'idp.free' }),
  fc.record({ type: fc.constant('idp.rewind') }),
  fc.record({ type: fc.constant('em.opened'), first: fc.nat(3), units: fc.constant(units) }),
  fc.record({ type: fc.constant('em.refused'), why: fc.constant('no such record') }),
  { weight: 3, arbitrary: fc.record({ type: fc.constant('em.word'), word }) },
);

const reductionStart = fc.record({
  type: fc.constant('rrn.start'),
  op: fc.constantFrom('fadd', 'uadd', 'imax', 'upassb', '1'),
  addr,
  long: fc.boolean(),
  n: fc.integer({ min: 1, max: 3 }),
  round: fc.boolean(),
  odpoe: fc.boolean(),
  sregen: fc.boolean(),
  conv: fc.constant('fix72to64w'),
});
const reductionEvents = fc.oneof(
  { weight: 2, arbitrary: reductionStart },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('rrn.next') }) },
  fc.record({
    type: fc.constant('rrn.level'),
    task: reductionStart,
    index: fc.nat(2),
    level: fc.constant(1),
    words: fc.array(word, { minLength: 2, maxLength: 2 }),
  }),
  fc.constant({ type: 'rrn.free' }),
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('bm.word'), block: fc.nat(1), index: fc.nat(2), word }),
  },
);

const memoryEvents = fc.oneof(
  fc.record({
    type: fc.constant('em.store'),
    elt: fc.nat(1),
    record: fc.nat(4),
    words: fc.array(word, { minLength: 2, maxLength: 2 }),
  }),
  fc.record({ type: fc.constant('em.rewind') }),
  fc.constant({ type: 'em.clear' }),
  fc.record({
    type: fc.constant('em.open'),
    elt: fc.nat(2),
    records: fc.integer({ min: 1, max: 2 }),
    advance: fc.boolean(),
  }),
  fc.record({ type: fc.constant('em.read'), elt: fc.nat(1), record: fc.nat(4), unit: fc.nat(1) }),
);

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
const hostEvents = fc.oneof(
  fc.constant({ type: 'host.begin' }),
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('host.call'), call: fc.constantFrom(...calls) }),
  },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('host.linked') }) },
  fc.record({
    type: fc.constant('host.result'),
    bits: fc.array(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), { minLength: 1, maxLength: 1 }),
    word,
    conv: fc.constant('flt72to64'),
  }),
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('control.done'),
      cycles: fc.nat(9),
      fault: fc.constantFrom(null, 'X_EM_RANGE: record 5'),
    }),
  },
);

// The control processor takes the next job when it has answered; ticks come to one that goes on from slot to slot.
const controlUndecided = {
  idle: ['control.tick'],
  busy: ['control.run'],
  portWait: ['control.run'],
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
// The host makes one call after another, and hears of the chip only what a call has asked for.
const hostUndecided = {
  idle: ['control.done', 'host.linked', 'host.result'],
  linking: ['control.done', 'host.begin', 'host.call', 'host.result'],
  running: ['host.begin', 'host.call', 'host.linked'],
  bringing: ['control.done', 'host.begin', 'host.call', 'host.result'],
};
/** Contexts that hold words hold bigints, which JSON does not know. */
const exceptWords = 'its state survives JSON';

describe.each<[string, ContractSubject]>([
  [
    'block of lanes',
    {
      machine: broadcastBlock,
      input: blockInput(() => new LaneBlock(blockSpec), 'slot'),
      events: blockEvents,
    },
  ],
  [
    'block of the reference',
    {
      machine: broadcastBlock,
      input: blockInput(() => new ReferenceBlock(blockSpec), 'element'),
      events: blockEvents,
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
      events: fc.oneof(
        { weight: 6, arbitrary: blockEvents },
        fc.record({ type: fc.constant('pe.word'), addr, long: fc.boolean(), word }),
      ),
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
      events: elementEvents,
      undecided: elementUndecided,
    },
  ],
  [
    'control processor',
    {
      machine: controlProcessor,
      input: () => controlInput(),
      events: controlEvents,
      undecided: controlUndecided,
      // A reduction at the end of a body keeps the port; the jobs here have none.
      unreached: ['loadJ.portWait'],
    },
  ],
  [
    'control processor with faults at busy ports',
    {
      machine: controlProcessor,
      input: () => controlInput({ portPolicy: 'fault', jPolicy: 'serial' }),
      events: controlEvents,
      undecided: controlUndecided,
      // A reduction at the end of a body keeps the port; the jobs here have none.
      unreached: ['loadJ.portWait'],
    },
  ],
  [
    'input port',
    {
      machine: inputPort,
      input: () => ({ control: at(1), memory: at(2), blocks, timing }),
      events: inputEvents,
      undecided: inputUndecided,
    },
  ],
  [
    'reduction network',
    {
      machine: reductionNetwork,
      input: () => ({ control: at(1), output: at(5), blocks, timing }),
      events: reductionEvents,
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
      events: memoryEvents,
    },
  ],
  [
    'output port',
    {
      machine: outputPort,
      input: () => ({ host: at(0) }),
      events: fc.record({
        type: fc.constant('out.word'),
        word,
        op: fc.constantFrom('fadd', 'faddO', 'uadd'),
        conv: fc.constantFrom('flt72to64', 'fix72to64w'),
      }),
    },
  ],
  [
    'host that is called',
    { machine: host, input: hostInput(false), events: hostEvents, undecided: hostUndecided },
  ],
  [
    'host with a program',
    { machine: host, input: hostInput(true), events: hostEvents, undecided: hostUndecided },
  ],
])('%s', (name, subject) => {
  for (const { sentence, failures } of contractOf(name, { runs: 30, ...subject }).filter(
    (one) => name === 'output port' || !one.sentence.endsWith(exceptWords),
  ))
    test(sentence, () => expect(failures()).toEqual([]));
});
