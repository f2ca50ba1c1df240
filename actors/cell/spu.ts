import { setup } from 'xstate';
import { waitingFor } from '../../kernel/outcome.ts';
import type { Address } from './address.ts';
import type { Instruction, InstructionResult } from './instructions.ts';
import { addressRefusal, valueRefusal } from './intake.ts';
import { idleForever, type SpuProgram } from './program.ts';
import { cellProtocol } from './protocol.ts';

/** Whom an SPU knows, its program and its limits. */
export interface SpuInput {
  readonly spu: number;
  readonly memSize: number;
  readonly maxInstrPerCycle: number;
  readonly program: SpuProgram;
  readonly memory: Address;
  readonly dma: Address;
  readonly controller: Address;
}

/** An SPU: its program and where it stands in the cycle. */
export interface SpuContext {
  readonly spec: Omit<SpuInput, 'program'>;
  readonly program: SpuProgram;
  t: number;
  /** The instruction under way; kept when it has to be tried again. */
  instruction: Instruction | null;
  result: InstructionResult;
  /** True when `instruction` was blocked and is tried again first. */
  retry: boolean;
  /** Instructions executed so far, ends of cycles not counted. */
  executed: number;
  /** Instructions of this cycle. */
  inCycle: number;
  /** First cycle in which the program goes on. */
  next: number;
  /** Values of this cycle that count for the run's read hash. */
  logged: number[];
  /** Requests accepted in this cycle. */
  requests: number;
  /** True when the run need not go on for its sake. */
  content: boolean;
  /** Why the program was stopped, empty when it was not. */
  exception: string;
}

const role = cellProtocol.roles.Spu;
const { update, post, when, probe } = role.component<SpuContext>();

/** What is wrong with the instruction under way before any other part is asked, or undefined. */
function mistake(spu: SpuContext): string | undefined {
  const { instruction, spec } = spu;
  if (spu.exception !== '') return spu.exception;
  if (instruction === null || instruction.op === 'endCycle') return undefined;
  if (spu.inCycle > spec.maxInstrPerCycle)
    return `more than ${spec.maxInstrPerCycle} instructions in one cycle (maxInstrPerCycle)`;
  if (instruction.op === 'read') return addressRefusal(instruction.addr, spec.memSize);
  if (instruction.op === 'write')
    return addressRefusal(instruction.addr, spec.memSize) ?? valueRefusal(instruction.value);
  return undefined;
}

/** The processor of an SPU (Cell specification 3, 15.2): one instruction after the other until the program ends its cycle. */
export const spu = setup({
  types: role.types<SpuContext, SpuInput>(),
  guards: {
    notYet: when<'cycle.begin'>((spu, { t }) => t < spu.next),
    mistaken: when((spu) => mistake(spu) !== undefined),
    over: when((spu) => spu.instruction === null),
    memory: when((spu) => spu.instruction?.op === 'read' || spu.instruction?.op === 'write'),
    transfer: when((spu) => spu.instruction?.op === 'get' || spu.instruction?.op === 'put'),
    status: when((spu) => spu.instruction?.op === 'status'),
  },
  actions: {
    beginCycle: update<'cycle.begin'>((spu, { t }) => {
      spu.t = t;
      spu.inCycle = 0;
      spu.logged = [];
      spu.requests = 0;
    }),
    fetch: update((spu) => {
      spu.inCycle++;
      if (spu.retry) {
        spu.retry = false;
        return;
      }
      try {
        const next = spu.program.next(spu.t, spu.result);
        spu.instruction = next === undefined ? null : { ...next };
      } catch (error) {
        spu.exception = error instanceof Error ? error.message : String(error);
      }
      spu.result = undefined;
    }),
    askMemory: post((spu) => {
      const { op, addr } = spu.instruction as { op: 'read' | 'write'; addr: number };
      const value = spu.instruction?.op === 'write' ? spu.instruction.value : 0;
      return {
        to: spu.spec.memory,
        type: 'memory.access',
        op,
        addr,
        value,
        by: 'spu',
        spu: spu.spec.spu,
        id: -1,
        t: spu.t,
      };
    }),
    takeByte: update<'memory.reply'>((spu, { value }) => {
      if (spu.instruction?.op === 'read') {
        spu.result = value;
        if (spu.instruction.logged) spu.logged.push(value);
      }
      spu.executed++;
    }),
    askDma: post((spu) => {
      const { op, my, peer, addr, size } = spu.instruction as Extract<Instruction, { op: 'get' | 'put' }>;
      return { to: spu.spec.dma, type: 'dma.request', kind: op, my, peer, addr, size, t: spu.t };
    }),
    takeId: update<'dma.accepted'>((spu, { id }) => {
      spu.result = id;
      spu.requests++;
      spu.executed++;
    }),
    keepForNextCycle: update((spu) => {
      spu.retry = true;
      spu.next = spu.t + 1;
    }),
    askStatus: post((spu) => ({
      to: spu.spec.dma,
      type: 'status.query',
      id: (spu.instruction as Extract<Instruction, { op: 'status' }>).id,
      t: spu.t,
    })),
    takeStatus: update<'status.reply'>((spu, { status }) => {
      spu.result = status;
      if (spu.instruction?.op === 'status' && spu.instruction.logged) spu.logged.push(status.status);
      spu.executed++;
    }),
    sleep: update((spu) => {
      const { cycles, content } = spu.instruction as Extract<Instruction, { op: 'endCycle' }>;
      spu.content = content ?? false;
      spu.next = spu.t + Math.max(1, cycles ?? 1);
    }),
    stop: update((spu) => {
      spu.next = idleForever;
      spu.content = true;
    }),
    note: update((spu, event) => {
      spu.exception = event.type === 'dma.refused' ? event.why : mistake(spu)!;
    }),
    reportDone: post<'cycle.begin'>((spu, event) => ({
      to: spu.spec.controller,
      type: 'spu.done',
      spu: spu.spec.spu,
      // A halted or sleeping SPU ends each cycle at once.
      t: event.type === 'cycle.begin' ? event.t : spu.t,
      next: spu.next,
      logged: event.type === 'cycle.begin' && event.t !== spu.t ? [] : [...spu.logged],
      content: spu.content,
      requests: event.type === 'cycle.begin' && event.t !== spu.t ? 0 : spu.requests,
    })),
    showResult: probe((spu) => ({
      type: 'OBS',
      t: spu.t,
      spu: spu.spec.spu,
      k: spu.executed - 1,
      op: (spu.instruction as Exclude<Instruction, { op: 'endCycle' }>).op,
      value: observed(spu.result),
    })),
    showException: probe((spu) => ({
      type: 'EXC',
      t: spu.t,
      spu: spu.spec.spu,
      k: spu.executed,
      why: spu.exception,
    })),
    showHalt: probe((spu) => ({ type: 'HALT', t: spu.t, spu: spu.spec.spu })),
  },
}).createMachine({
  id: 'spu',
  context: ({ input: { program, ...spec } }) => ({
    spec,
    program: program.fork(),
    t: -1,
    instruction: null,
    result: undefined,
    retry: false,
    executed: 0,
    inCycle: 0,
    next: 0,
    logged: [],
    requests: 0,
    content: false,
    exception: '',
  }),
  initial: 'waiting',
  states: {
    waiting: {
      on: {
        'cycle.begin': [
          { guard: 'notYet', actions: 'reportDone' },
          { target: 'executing', actions: 'beginCycle' },
        ],
        'machine.stop': 'halted',
      },
    },
    executing: {
      entry: 'fetch',
      always: [
        {
          guard: 'mistaken',
          target: 'halted',
          actions: ['note', 'stop', 'showException', 'showHalt', 'reportDone'],
        },
        { guard: 'over', target: 'halted', actions: ['stop', 'showHalt', 'reportDone'] },
        { guard: 'memory', target: 'memWait', actions: 'askMemory' },
        { guard: 'transfer', target: 'reqWait', actions: 'askDma' },
        { guard: 'status', target: 'statusWait', actions: 'askStatus' },
        { target: 'waiting', actions: ['sleep', 'reportDone'] },
      ],
    },
    memWait: {
      ...waitingFor<SpuContext>('its memory', (spu) => spu.spec.memory),
      on: { 'memory.reply': { target: 'executing', actions: ['takeByte', 'showResult'] } },
    },
    reqWait: {
      ...waitingFor<SpuContext>('its DMA module to take a request', (spu) => spu.spec.dma),
      on: {
        'dma.accepted': { target: 'executing', actions: ['takeId', 'showResult'] },
        'dma.blocked': { target: 'waiting', actions: ['keepForNextCycle', 'reportDone'] },
        'dma.refused': {
          target: 'halted',
          actions: ['note', 'stop', 'showException', 'showHalt', 'reportDone'],
        },
      },
    },
    statusWait: {
      ...waitingFor<SpuContext>('its DMA module to answer', (spu) => spu.spec.dma),
      on: { 'status.reply': { target: 'executing', actions: ['takeStatus', 'showResult'] } },
    },
    halted: { on: { 'cycle.begin': { actions: 'reportDone' }, 'machine.stop': {} } },
  },
});

/** The result as the event log writes it: a byte, an id, a status value, or null. */
function observed(result: InstructionResult): number | null {
  if (typeof result === 'object') return result.status;
  return result ?? null;
}
