import { and, not, setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { waitingFor } from '../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../kernel/resource.ts';
import type { Word } from './arithmetic/word.ts';
import { handingOn } from './handing-on.ts';
import type { Job, Step } from './jobs.ts';
import { concerns } from './look.ts';
import type { SimLine, Slot } from './program.ts';
import type { GrapeMessage, GrapeOutbox } from './protocol.ts';
import { grapeProtocol } from './protocol.ts';
import type { ChipTiming } from './timing.ts';

/** Whom the control processor directs. */
export interface ControlInput {
  readonly host: Address;
  readonly blocks: readonly Address[];
  readonly inputPort: Address;
  readonly reduction: Address;
  readonly timing: ChipTiming;
}

/** Slots so far, and what they used (GRAPE specification 8). */
export interface ControlCounts {
  slots: number;
  nops: number;
  mul: number;
  add: number;
  alu: number;
  bm: number;
  idp: number;
  rrn: number;
  /** Cycles spent waiting for ports, packets and records. */
  waited: number;
}

/** A line for the simulator, and the words that the blocks show for it. */
export interface Look {
  readonly item: SimLine;
  /** By block; of blocks that it does not concern nothing. */
  readonly words: (readonly Word[] | null)[];
}

/** The control processor: its job, and where it stands. */
export interface ControlContext {
  readonly spec: ControlInput;
  job: Fixed<Job> | null;
  /** The section of the job, the step in it, how many slots of that step are issued, and the pass. */
  section: 'before' | 'body' | 'after' | 'drain';
  step: number;
  issued: number;
  pass: number;
  /** Passes whose records were sent for. */
  fed: number;
  /** The cycle in which the next slot can begin. */
  next: number;
  /** First cycle in which the ports are free; null while that is not known. */
  portFree: number | null;
  /** By packet of the host: the cycle from which on it is in place. */
  visible: number[];
  /** Number of the next slot, and of those that all blocks have carried out. */
  seq: number;
  done: number[];
  /** Cycles of the slot issued last. */
  length: number;
  began: number;
  fault: string | null;
  readonly counts: ControlCounts;
  looks: Look[];
  /** Blocks that have not shown their words of a line for the simulator. */
  unseen: number;
}

const role = grapeProtocol.roles.ControlProcessor;
const { update, when, act } = role.component<ControlContext>();

const drainSlots = 2;

/** Begins a job: its first slot can begin in the next cycle. */
function begin(
  c: ControlContext,
  { job }: GrapeMessage<'control.run'>,
  out: GrapeOutbox<'ControlProcessor'>,
): void {
  c.job = fixed(job);
  c.section = 'before';
  c.step = 0;
  c.issued = 0;
  c.pass = 0;
  c.fed = 0;
  c.next = out.now + 1;
  c.began = c.next;
  c.portFree = c.next;
  c.visible = [];
  c.fault = null;
  if (job.resets) for (const to of c.spec.blocks) out.post({ to, type: 'block.reset' });
  if (job.rewinds) out.post({ to: c.spec.inputPort, type: 'idp.rewind' });
}

/** The step at hand; undefined at the end of a section. */
function stepAt({ job, section, step }: ControlContext): Step | undefined {
  return section === 'drain' ? undefined : job!.value[section][step];
}

function enter(c: ControlContext, section: ControlContext['section']): void {
  c.section = section;
  c.step = 0;
  c.issued = 0;
}

const portsAreFree = ({ portFree, next }: ControlContext): boolean => portFree !== null && portFree <= next;

/** True when the records of this pass are in place, or none are needed (GRAPE specification 6.4). */
export const hasRecords = (c: ControlContext): boolean =>
  !c.job!.value.feeds || (c.fed > c.pass && portsAreFree(c));

/** The slot at hand; null for an empty one. */
function slotAt(c: ControlContext): Slot | null {
  const step = stepAt(c);
  return step?.kind === 'slot' ? step.slot : null;
}

/** True when the transfer that the slot at hand begins finds a port busy: the ports exclude each other (GRAPE specification 6.3). */
export const needsBusyPort = (c: ControlContext): boolean => !portsAreFree(c);

function sendForRecords(c: ControlContext, out: GrapeOutbox<'ControlProcessor'>): void {
  c.fed++;
  startInput(c, { elt: 0, mode: 0, bbid: -1 }, out);
}

function startInput(
  c: ControlContext,
  { elt, mode, bbid }: { readonly elt: number; readonly mode: 0 | 1 | 2; readonly bbid: number },
  out: GrapeOutbox<'ControlProcessor'>,
): void {
  c.portFree = null;
  c.counts.idp++;
  out.post({ to: c.spec.inputPort, type: 'idp.start', elt, mode, bbid });
}

const emptySlots: Extract<Step, { kind: 'nop' }> = {
  kind: 'nop',
  section: 'library',
  nop: { kind: 'nop', line: 0, vlen: 1, count: drainSlots },
};

/** Sends a slot to all blocks, one cycle ahead, so that all hear of it before it begins. */
function issue(
  c: ControlContext,
  step: Extract<Step, { kind: 'slot' | 'nop' }>,
  out: GrapeOutbox<'ControlProcessor'>,
): void {
  const { spec, seq, next: cycle } = c;
  const slot = step.kind === 'slot' ? step.slot : null;
  const { vlen, line } = step.kind === 'slot' ? step.slot : step.nop;
  const length = Math.max(vlen, spec.timing.slotMin);
  for (const to of spec.blocks) out.send(to, undefined, { to, type: 'slot.issue', seq, length, slot });
  if (out.observed)
    out.probe({
      type: 'SLOT',
      t: cycle,
      length,
      seq,
      section: step.section,
      pass: c.section === 'body' ? c.pass : null,
      line,
      units: unitsUsed(slot),
      ...handingOn(slot),
    });
  count1(c.counts, slot);
  c.seq++;
  c.length = length;
  c.next += length;
  if (++c.issued === (step.kind === 'nop' ? step.nop.count : 1)) {
    c.issued = 0;
    c.step++;
  }
}

function count1(counts: ControlCounts, slot: Slot | null): void {
  counts.slots++;
  if (slot === null) counts.nops++;
  else {
    if (slot.mul) counts.mul++;
    if (slot.add?.unit === 'fadd') counts.add++;
    if (slot.add?.unit === 'ialu') counts.alu++;
    if (slot.bm) counts.bm++;
  }
}

function unitsUsed(slot: Slot | null): readonly string[] {
  if (slot === null) return [];
  const { mul, add, bm, idp, rrn } = slot;
  return [
    ...(mul ? ['mul'] : []),
    ...(add ? [add.unit === 'fadd' ? 'add' : 'alu'] : []),
    ...(bm ? ['bm'] : []),
    ...(idp ? ['idp'] : []),
    ...(rrn ? ['rrn'] : []),
  ];
}

function startReduction(
  c: ControlContext,
  op: NonNullable<Slot['rrn']>,
  out: GrapeOutbox<'ControlProcessor'>,
): void {
  const { op: opcode, mem, n, round, odpoe, sregen, conv } = op;
  c.portFree = null;
  c.counts.rrn++;
  out.post({
    to: c.spec.reduction,
    type: 'rrn.start',
    op: opcode,
    addr: mem.addr,
    long: mem.long,
    n,
    round: round || !mem.long,
    odpoe,
    sregen,
    conv,
  });
}

function look(c: ControlContext, item: SimLine, out: GrapeOutbox<'ControlProcessor'>): void {
  const number = c.looks.length;
  const { blocks } = c.spec;
  if (item.kind !== 'IDP') c.looks.push({ item, words: blocks.map(() => null) });
  for (const [block, to] of blocks.entries())
    if (concerns(item, block)) {
      if (item.kind !== 'IDP') c.unseen++;
      out.post({ to, type: 'block.look', number, item });
    }
}

function fault(c: ControlContext, out: GrapeOutbox<'ControlProcessor'>, code: string, why: string): void {
  c.fault = `${code}: ${why}`;
  out.report({ property: 'a program keeps to the rules of the ports and memories', why: c.fault });
}

/** Waits until a cycle in whole slots, since the chip goes on from slot to slot. */
function waitInSlots(c: ControlContext, until: number, out: GrapeOutbox<'ControlProcessor'>): void {
  const { slotMin } = c.spec.timing;
  const slots = Math.max(0, Math.ceil((until - c.next) / slotMin));
  waitUntil(c, c.next + slots * slotMin, out);
}

/** The next slot can begin in cycle `next`; who is to hear of it must in the cycle before. */
function waitUntil(c: ControlContext, next: number, out: GrapeOutbox<'ControlProcessor'>): void {
  c.counts.waited += next - c.next;
  c.next = next;
  out.post({ to: out.self, type: 'control.tick', delay: next - 1 - out.now });
}

/** As it stands when the control processor begins to wait: what it waits for may be known already. */
const waitWhenKnown = act((c, _event, out) => {
  if (c.portFree !== null) waitInSlots(c, c.portFree, out);
});

/** The packet that the step at hand waits for; -1 when it waits for none. */
function awaitedPacket(c: ControlContext): number {
  const step = stepAt(c);
  return step?.kind === 'visible' ? step.packet : -1;
}

const isPacketThere = (c: ControlContext): boolean => {
  const from = c.visible[awaitedPacket(c)];
  return from !== undefined && from <= c.next;
};

const whenStep = (...kinds: readonly Step['kind'][]) =>
  when((c: ControlContext) => {
    const step = stepAt(c);
    return step !== undefined && kinds.includes(step.kind);
  });

/** The control processor: fetches, issues and counts slots, and starts the ports (GRAPE specification 6.3, CP; 6.4). */
export const controlProcessor = setup({
  types: role.types<ControlContext, ControlInput>(),
  guards: {
    isFaulted: when((c) => c.fault !== null),
    sectionIsOver: when((c) => stepAt(c) === undefined),
    inBody: when((c) => c.section === 'body'),
    inFirstSection: when((c) => c.section === 'before'),
    passesAreOver: when((c) => c.pass >= c.job!.value.passes),
    recordsAreThere: when(hasRecords),
    recordsAreComing: when((c) => c.fed > c.pass),
    isSlot: whenStep('slot', 'nop'),
    isLook: whenStep('look'),
    awaitsPacket: whenStep('visible'),
    awaitsPorts: whenStep('ports'),
    packetIsThere: when(isPacketThere),
    portsAreFree: when(portsAreFree),
    beginsTransfer: when((c) => {
      const slot = slotAt(c);
      return slot?.idp !== undefined || slot?.rrn !== undefined;
    }),
    needsBusyPort: when(needsBusyPort),
    needsBothPorts: when((c) => Boolean(slotAt(c)?.idp && slotAt(c)?.rrn)),
    busyPortsStall: when((c) => c.spec.timing.portPolicy === 'stall'),
    // The records of the next pass can come as soon as those of this one were read; a program of type II sends for its records itself.
    mayRefill: when((c) => {
      const { feeds, refillStep, passes } = c.job!.value;
      if (!feeds || c.step !== refillStep || c.section !== 'body' || c.issued !== 0) return false;
      return c.fed < passes && c.spec.timing.jPolicy === 'overlap' && portsAreFree(c);
    }),
    isAwaited: when<'idp.visible'>((c, { packet }) => packet === awaitedPacket(c)),
    lastEmptySlot: when((c) => c.issued === 0),
    allDone: when((c) => c.done.length === 0 && c.unseen === 0),
    // Who begins to wait anew has an earlier tick under way, which is none of its own.
    isDue: when((c, _event, { now }) => now >= c.next - 1),
  },
  actions: {
    begin: act<'control.run'>(begin),
    enterBody: update((c) => enter(c, 'body')),
    countPass: update((c) => {
      c.pass++;
      c.step = 0;
    }),
    enterAfter: update((c) => enter(c, 'after')),
    enterDrain: update((c) => enter(c, 'drain')),
    stepOn: update((c) => {
      c.step++;
    }),
    sendForRecords: act((c, _event, out) => sendForRecords(c, out)),
    look: act((c, _event, out) => {
      const step = stepAt(c);
      if (step?.kind === 'look') look(c, step.item, out);
    }),
    startTransfer: act((c, _event, out) => {
      const step = stepAt(c);
      if (step?.kind === 'table') startInput(c, { elt: step.elt, mode: 2, bbid: -1 }, out);
      if (step?.kind !== 'packets') return;
      c.portFree = null;
      out.post({ to: c.spec.inputPort, type: 'idp.packets', packets: step.packets });
    }),
    startPorts: act((c, _event, out) => {
      const slot = slotAt(c);
      if (slot?.idp) startInput(c, slot.idp, out);
      if (slot?.rrn) startReduction(c, slot.rrn, out);
    }),
    issue: act((c, _event, out) => issue(c, stepAt(c) as Parameters<typeof issue>[1], out)),
    issueEmpty: act((c, _event, out) => issue(c, emptySlots, out)),
    faultBusyPort: act((c, _event, out) =>
      fault(c, out, 'X_PORT_BUSY', `line ${slotAt(c)!.line} begins a transfer while one is under way`),
    ),
    faultBothPorts: act((c, _event, out) =>
      fault(c, out, 'X_PORT_BUSY', `line ${slotAt(c)!.line} begins two transfers`),
    ),
    countSlot: act((c, _event, out) => {
      c.done.push(c.spec.blocks.length);
      out.post({ to: out.self, type: 'control.tick', delay: c.length });
    }),
    noteDone: act<'slot.done'>((c, { seq, block }, out) => {
      // Slots end in the order in which they were issued, each in all blocks before the next in any.
      const at = seq - (c.seq - c.done.length);
      const blocksLeft = c.done[at];
      if (blocksLeft === undefined) {
        const why = `block ${block} carried out slot ${seq}, which is not under way`;
        out.report({ property: 'a block carries out a slot once', why });
        return;
      }
      c.done[at] = blocksLeft - 1;
      while (c.done[0] === 0) c.done.shift();
    }),
    notePort: update<'idp.done' | 'rrn.done'>((c, { after }, { now }) => {
      c.portFree = now + after;
    }),
    noteVisible: update<'idp.visible'>((c, { packet, after }, { now }) => {
      c.visible[packet] = now + after;
    }),
    noteSeen: update<'block.seen'>((c, { number, block, words }) => {
      const { words: shown } = c.looks[number]!;
      if (shown[block] === null) c.unseen--;
      shown[block] = words;
    }),
    noteRefusal: act<'idp.refused'>((c, { why }, out) => {
      c.portFree = out.now + 1;
      fault(c, out, 'X_EM_RANGE', why);
    }),
    waitWhenKnown,
    waitForPort: act((c, _event, out) => waitInSlots(c, c.portFree!, out)),
    waitForPacketWhenKnown: act((c, _event, out) => {
      const from = c.visible[awaitedPacket(c)];
      if (from !== undefined) waitUntil(c, from, out);
    }),
    waitForPacket: act<'idp.visible'>((c, { after }, out) =>
      waitUntil(c, Math.max(c.next, out.now + after), out),
    ),
    answer: act((c, _event, out) => {
      out.post({
        to: c.spec.host,
        type: 'control.done',
        cycles: out.now - c.began - drainSlots * c.spec.timing.slotMin,
        fault: c.fault,
      });
      c.job = null;
    }),
  },
}).createMachine({
  id: 'controlProcessor',
  context: ({ input }) => ({
    spec: input,
    job: null,
    section: 'before',
    step: 0,
    issued: 0,
    pass: 0,
    fed: 0,
    next: 0,
    portFree: 0,
    visible: [],
    seq: 0,
    done: [],
    length: 0,
    began: 0,
    fault: null,
    counts: { slots: 0, nops: 0, mul: 0, add: 0, alu: 0, bm: 0, idp: 0, rrn: 0, waited: 0 },
    looks: [],
    unseen: 0,
  }),
  on: {
    'slot.done': { actions: 'noteDone' },
    'block.seen': { actions: 'noteSeen' },
    'idp.visible': { actions: 'noteVisible' },
    'idp.done': { actions: 'notePort' },
    'rrn.done': { actions: 'notePort' },
    'idp.refused': { actions: 'noteRefusal' },
  },
  initial: 'idle',
  states: {
    idle: { on: { 'control.run': { target: 'fetch', actions: 'begin' } } },
    fetch: {
      always: [
        { guard: 'isFaulted', target: 'drain' },
        { guard: 'beginsTransfer', target: 'claimPort' },
        { guard: 'isSlot', target: 'issue' },
        { guard: 'sectionIsOver', target: 'nextSection' },
        { guard: 'isLook', target: 'look' },
        { guard: and(['awaitsPacket', not('packetIsThere')]), target: 'packetWait' },
        { guard: 'awaitsPacket', target: 'waited' },
        { guard: not('portsAreFree'), target: 'portWait' },
        { guard: 'awaitsPorts', target: 'waited' },
        { target: 'transfer' },
      ],
    },
    nextSection: {
      always: [
        { guard: 'inFirstSection', target: 'nextPass', actions: 'enterBody' },
        { guard: 'inBody', target: 'nextPass', actions: 'countPass' },
        { target: 'drain' },
      ],
    },
    nextPass: {
      always: [
        { guard: 'isFaulted', target: 'drain' },
        { guard: 'passesAreOver', target: 'fetch', actions: 'enterAfter' },
        { guard: 'recordsAreThere', target: 'fetch' },
        { guard: 'recordsAreComing', target: 'loadJ.transfer' },
        { guard: not('portsAreFree'), target: 'loadJ.portWait' },
        { target: 'sendForJ' },
      ],
    },
    sendForJ: { entry: 'sendForRecords', always: 'nextPass' },
    loadJ: {
      initial: 'transfer',
      states: {
        portWait: {
          ...waitingFor<ControlContext>('a free port', ({ spec }) => [spec.inputPort, spec.reduction]),
          entry: 'waitWhenKnown',
          on: {
            'control.tick': { guard: 'isDue', target: '#controlProcessor.nextPass' },
            'idp.done': { actions: ['notePort', 'waitForPort'] },
            'rrn.done': { actions: ['notePort', 'waitForPort'] },
            'idp.refused': { actions: ['noteRefusal', 'waitForPort'] },
          },
        },
        transfer: {
          ...waitingFor<ControlContext>('the records of the pass', ({ spec }) => spec.inputPort),
          entry: 'waitWhenKnown',
          on: {
            'control.tick': { guard: 'isDue', target: '#controlProcessor.nextPass' },
            'idp.done': { actions: ['notePort', 'waitForPort'] },
            'idp.refused': { actions: ['noteRefusal', 'waitForPort'] },
          },
        },
      },
    },
    claimPort: {
      always: [
        { guard: and(['needsBusyPort', 'busyPortsStall']), target: 'portWait' },
        { guard: 'needsBusyPort', target: 'fetch', actions: 'faultBusyPort' },
        { guard: 'needsBothPorts', target: 'fetch', actions: 'faultBothPorts' },
        { target: 'issue', actions: 'startPorts' },
      ],
    },
    issue: {
      always: [
        { guard: 'mayRefill', target: 'busy', actions: ['sendForRecords', 'issue'] },
        { target: 'busy', actions: 'issue' },
      ],
    },
    busy: { entry: 'countSlot', on: { 'control.tick': { guard: 'isDue', target: 'fetch' } } },
    // Steps that take no time: a line for the simulator, what was waited for, a transfer that the library begins.
    look: { entry: ['look', 'stepOn'], always: 'fetch' },
    waited: { entry: 'stepOn', always: 'fetch' },
    transfer: { entry: ['startTransfer', 'stepOn'], always: 'fetch' },
    portWait: {
      ...waitingFor<ControlContext>('a free port', ({ spec }) => [spec.inputPort, spec.reduction]),
      entry: 'waitWhenKnown',
      on: {
        'control.tick': { guard: 'isDue', target: 'fetch' },
        'idp.done': { actions: ['notePort', 'waitForPort'] },
        'rrn.done': { actions: ['notePort', 'waitForPort'] },
        'idp.refused': { actions: ['noteRefusal', 'waitForPort'] },
      },
    },
    packetWait: {
      ...waitingFor<ControlContext>('a packet of the host', ({ spec }) => spec.inputPort),
      entry: 'waitForPacketWhenKnown',
      on: {
        'control.tick': { guard: 'isDue', target: 'fetch' },
        'idp.visible': [
          { guard: 'isAwaited', actions: ['noteVisible', 'waitForPacket'] },
          { actions: 'noteVisible' },
        ],
      },
    },
    // The ports come to rest, two empty slots pass, and all blocks carry out what they have.
    drain: {
      entry: 'enterDrain',
      initial: 'ports',
      states: {
        ports: { always: [{ guard: 'portsAreFree', target: 'emptySlot' }, { target: 'portWait' }] },
        portWait: {
          ...waitingFor<ControlContext>('the end of transfers', ({ spec }) => [
            spec.inputPort,
            spec.reduction,
          ]),
          entry: 'waitWhenKnown',
          on: {
            'control.tick': { guard: 'isDue', target: 'ports' },
            'idp.done': { actions: ['notePort', 'waitForPort'] },
            'rrn.done': { actions: ['notePort', 'waitForPort'] },
            'idp.refused': { actions: ['noteRefusal', 'waitForPort'] },
          },
        },
        emptySlot: {
          entry: ['issueEmpty', 'countSlot'],
          on: {
            'control.tick': [
              { guard: and(['isDue', 'lastEmptySlot']), target: 'lastSlots' },
              { guard: 'isDue', target: 'emptySlot', reenter: true },
            ],
          },
        },
        lastSlots: {
          ...waitingFor<ControlContext>('the last slots and what blocks show', ({ spec }) => [
            ...spec.blocks,
          ]),
          always: { guard: 'allDone', target: '#controlProcessor.idle', actions: 'answer' },
        },
      },
    },
  },
});
