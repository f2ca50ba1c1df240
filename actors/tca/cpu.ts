import { setup } from 'xstate';
import { component, type Outbox } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { waitsFor } from '../../kernel/outcome.ts';
import type { Program } from '../common/program.ts';
import { type AddressRanges, isMapped } from './address-map.ts';
import { chainError, type Descriptor } from './descriptor.ts';
import type {
  ChainDone,
  ChannelError,
  CpuTurn,
  Doorbell,
  FlagSet,
  MemoryWrite,
  MmioAnswer,
  MmioRead,
  MmioWrite,
  ReadableRegister,
} from './messages.ts';
import { channels, inSubTicks, nanoseconds, type TcaParameters } from './parameters.ts';

/** A word of the notify board: who writes it, and which one. */
export interface Flag {
  readonly source: number;
  readonly slot: number;
  /** The value to wait for; any when absent (TCA specification 9). */
  readonly tag?: number;
}

/** What a program of a node asks for (TCA specification 10). */
export type NodeOperation =
  /** Starts a chain on a channel: `tcaDescSet` and `tcaStartDMADesc`. */
  | { readonly op: 'start'; readonly channel: number; readonly chain: readonly Descriptor[] }
  /** Waits until each of these words was written once more: `tcaWaitDMARecvDesc`. */
  | { readonly op: 'wait'; readonly flags: readonly Flag[] }
  /** Waits until chains on these channels have stopped: `tcaWaitDMAC`. */
  | { readonly op: 'stopped'; readonly channels: readonly number[] }
  /** Writes at most 64 bytes into the memory of a node: `tcaSendPIO`, `tcaSendPIOCommit`. */
  | { readonly op: 'pio'; readonly address: number; readonly data: Uint8Array }
  /** Reads a register of a channel: the busy bit as 0 or 1, which is late, or the code of its error, 0 without one. */
  | { readonly op: 'register'; readonly register: ReadableRegister; readonly channel: number }
  /** Lets a channel in error begin anew. */
  | { readonly op: 'reset'; readonly channel: number }
  /** Works for so many nanoseconds. */
  | { readonly op: 'compute'; readonly ns: number }
  /** Asks for the time in nanoseconds. */
  | { readonly op: 'now' };

/** What an operation gives back: the time in nanoseconds at which it was done, the value of a register, or the code of an error. */
export type NodeAnswer = number | string;

/** The program of a node, given its rank and the number of nodes. */
export type NodeProgram = (rank: number, nodes: number) => Generator<NodeOperation, void, NodeAnswer>;

/** The processor of a node, and whom it knows. */
export interface CpuInput {
  readonly self: Address;
  readonly node: number;
  readonly dmacs: readonly Address[];
  /** What takes its stores into other nodes. */
  readonly router: Address;
  readonly registers: Address;
  readonly ranges: AddressRanges;
  /** Whether the driver refuses to start a channel that has not stopped. */
  readonly strict: boolean;
  readonly program: Program<NodeOperation, NodeAnswer>;
  readonly parameters: TcaParameters;
  /** How a stop is detected: by polling the performance counters, or at no cost (TCA specification 8). */
  readonly stopDetect: 'counter' | 'ideal';
}

/** The processor of a node: its program, and what it has heard. */
export interface CpuContext {
  readonly spec: Omit<CpuInput, 'program'>;
  readonly program: Program<NodeOperation, NodeAnswer>;
  operation: NodeOperation | null;
  answer: NodeAnswer;
  now: number;
  /** Values that were written to each word of the board and that nobody waited for, as `source slot`, in their order. */
  flags: Map<string, number[]>;
  /** Flags that are still missing. */
  missing: Flag[];
  /** By channel: chains started, and chains finished as the chip counts them, with when. */
  started: number[];
  finished: number[];
  /** By channel: the code of its error, null without one. */
  errors: (string | null)[];
  /** By channel: chains that the driver has seen finished. */
  seen: number[];
  /** How many of the channels at hand are known to have stopped. */
  polled: number;
  seq: number;
}

type CpuEvent = CpuTurn | FlagSet | ChainDone | ChannelError | MmioAnswer;
type CpuSends = CpuTurn | Doorbell | MemoryWrite | MmioRead | MmioWrite;

const { update, when, act } = component<CpuContext, CpuEvent, CpuSends>();

const nameOf = ({ source, slot }: Pick<Flag, 'source' | 'slot'>): string => `${source} ${slot}`;

const resume = (c: CpuContext, cycles: number, out: Outbox<CpuSends>): void => {
  const delay = inSubTicks(cycles);
  out.post({ to: c.spec.self, type: 'cpu.turn', at: c.now + delay, delay });
};

/** Carries out an operation that needs nobody's answer. */
function carryOut(c: CpuContext, out: Outbox<CpuSends>): void {
  const operation = c.operation!;
  const { parameters, dmacs, router, node } = c.spec;
  c.answer = nanoseconds(c.now);
  switch (operation.op) {
    case 'start': {
      const wrong = chainError(operation.chain);
      const { channel } = operation;
      if (wrong !== undefined) c.answer = wrong;
      else if (c.errors[channel] !== null) c.answer = c.errors[channel]!;
      else if (c.spec.strict && c.started[channel]! > c.finished[channel]!) c.answer = 'EBUSY';
      if (typeof c.answer === 'string') {
        resume(c, 0, out);
        return;
      }
      c.started[channel]!++;
      const delay = inSubTicks(parameters.mmioWriteLatency);
      out.post({
        to: dmacs[channel]!,
        type: 'dmac.doorbell',
        chain: operation.chain,
        at: c.now + delay,
        delay,
      });
      resume(c, parameters.doorbellGap, out);
      return;
    }
    case 'pio': {
      if (operation.data.length > 64 || operation.data.length % 4 !== 0 || operation.address % 4 !== 0)
        c.answer = 'EALIGN';
      else if (!isMapped(operation.address, operation.data.length, c.spec.ranges)) c.answer = 'EUR';
      else {
        const delay = inSubTicks(parameters.pioStoreFlush + parameters.mmioWriteLatency);
        out.post({
          to: router,
          type: 'tlp.write',
          addr: operation.address,
          data: operation.data,
          source: node,
          channel: -1,
          seq: c.seq++,
          at: c.now + delay,
          delay,
        });
      }
      resume(c, parameters.pioStoreFlush, out);
      return;
    }
    case 'register': {
      // The register is looked at in the middle of the read.
      const delay = inSubTicks(parameters.perfCounterReadRoundTrip / 2);
      const { register, channel } = operation;
      const { registers, self } = c.spec;
      out.post({
        to: registers,
        type: 'mmio.read',
        register,
        channel,
        requester: self,
        at: c.now + delay,
        delay,
      });
      return;
    }
    case 'reset': {
      const { channel } = operation;
      const delay = inSubTicks(parameters.mmioWriteLatency);
      c.errors[channel] = null;
      c.started[channel] = c.finished[channel]!;
      out.post({
        to: c.spec.registers,
        type: 'mmio.write',
        register: 'reset',
        channel,
        at: c.now + delay,
        delay,
      });
      resume(c, parameters.doorbellGap, out);
      return;
    }
    case 'compute': {
      const delay = Math.round(operation.ns * 4);
      out.post({ to: c.spec.self, type: 'cpu.turn', at: c.now + delay, delay });
      return;
    }
    default:
      resume(c, 0, out);
  }
}

const isAwaited = ({ tag }: Flag, value: number): boolean => tag === undefined || tag === value;

/** Takes the flags that are there already; the others are missing. */
function lookAtBoard(c: CpuContext): void {
  const { flags } = c.operation as Extract<NodeOperation, { op: 'wait' }>;
  c.missing = [];
  for (const flag of flags) {
    const values = c.flags.get(nameOf(flag)) ?? [];
    const at = values.findIndex((value) => isAwaited(flag, value));
    if (at < 0) c.missing.push(flag);
    else c.flags.set(nameOf(flag), values.toSpliced(at, 1));
  }
}

function noteFlag(c: CpuContext, flag: FlagSet): void {
  c.now = Math.max(c.now, flag.at);
  const name = nameOf(flag);
  const at = c.missing.findIndex((one) => nameOf(one) === name && isAwaited(one, flag.value));
  if (at >= 0) c.missing.splice(at, 1);
  else c.flags.set(name, [...(c.flags.get(name) ?? []), flag.value]);
}

const flagsWaitedFor = (c: CpuContext): number =>
  (c.operation as Extract<NodeOperation, { op: 'wait' }>).flags.length;

const channelsWaitedFor = (c: CpuContext): readonly number[] =>
  (c.operation as Extract<NodeOperation, { op: 'stopped' }>).channels;

const isStopped = (c: CpuContext, channel: number): boolean => c.finished[channel]! >= c.started[channel]!;

/** The processor of a node: runs its program and the driver (TCA specification 8 to 10). */
export const cpu = setup({
  types: {} as { context: CpuContext; events: CpuEvent; input: CpuInput },
  guards: {
    over: when((c) => c.operation === null),
    waits: when((c) => c.operation?.op === 'wait'),
    asksForStop: when((c) => c.operation?.op === 'stopped'),
    allThere: when((c) => c.missing.length === 0),
    allStopped: when((c) => channelsWaitedFor(c).every((channel) => isStopped(c, channel))),
    // A channel whose last chain was seen to stop is not asked again (TCA specification 8).
    knownStopped: when((c) => {
      const channel = channelsWaitedFor(c)[c.polled]!;
      return c.seen[channel] === c.started[channel] || c.errors[channel] !== null;
    }),
    ideal: when((c) => c.spec.stopDetect === 'ideal'),
    allPolled: when((c) => c.polled === channelsWaitedFor(c).length),
  },
  actions: {
    turn: update<'cpu.turn'>((c, { at }) => {
      c.now = at;
    }),
    fetch: update((c) => {
      c.operation = c.program.next(c.answer) ?? null;
    }),
    carryOut: act((c, _event, out) => carryOut(c, out)),
    lookAtBoard: update((c) => lookAtBoard(c)),
    noteFlag: update<'flag.set'>(noteFlag),
    see: act((c, _event, out) => {
      const { pollDetect, pollGapPerChannel } = c.spec.parameters;
      resume(c, pollDetect + pollGapPerChannel * (flagsWaitedFor(c) - 1), out);
    }),
    noteChain: update<'chain.done'>((c, { channel, count, at }) => {
      c.finished[channel] = count;
      c.now = Math.max(c.now, at);
    }),
    noteError: update<'channel.error'>((c, { channel, code, at }) => {
      c.errors[channel] = code;
      // A channel in error has stopped, though its counter does not say so.
      c.started[channel] = c.finished[channel]!;
      c.now = Math.max(c.now, at);
    }),
    takeValue: update<'mmio.answer'>((c, { value, at }) => {
      c.answer = value;
      c.now = at;
    }),
    answerStop: update((c) => {
      const failed = channelsWaitedFor(c).find((channel) => c.errors[channel] !== null);
      c.answer = failed === undefined ? nanoseconds(c.now) : c.errors[failed]!;
    }),
    passOver: update((c) => {
      c.polled++;
    }),
    beginPolling: update((c) => {
      c.polled = 0;
    }),
    // A read of a performance counter samples it in its middle.
    poll: act((c, _event, out) => resume(c, c.spec.parameters.perfCounterReadRoundTrip / 2, out)),
    judge: act<'cpu.turn'>((c, { at }, out) => {
      c.now = at;
      const channel = channelsWaitedFor(c)[c.polled]!;
      if (isStopped(c, channel)) c.seen[channel] = c.started[channel]!;
      resume(c, c.spec.parameters.perfCounterReadRoundTrip / 2, out);
    }),
    answerNow: update((c) => {
      c.answer = nanoseconds(c.now);
    }),
  },
}).createMachine({
  id: 'cpu',
  context: ({ input: { program, ...spec } }) => ({
    spec,
    program: program.fork(),
    operation: null,
    answer: 0,
    now: 0,
    flags: new Map(),
    missing: [],
    started: new Array<number>(channels).fill(0),
    finished: new Array<number>(channels).fill(0),
    errors: new Array<string | null>(channels).fill(null),
    seen: new Array<number>(channels).fill(0),
    polled: 0,
    seq: 0,
  }),
  on: {
    'flag.set': { actions: 'noteFlag' },
    'chain.done': { actions: 'noteChain' },
    'channel.error': { actions: 'noteError' },
  },
  initial: 'idle',
  states: {
    idle: { on: { 'cpu.turn': { target: 'run', actions: 'turn' } } },
    run: {
      entry: 'fetch',
      always: [
        { guard: 'over', target: 'done' },
        { guard: 'waits', target: 'waiting', actions: 'lookAtBoard' },
        { guard: 'asksForStop', target: 'stopping' },
        { target: 'working', actions: 'carryOut' },
      ],
    },
    working: {
      on: {
        'cpu.turn': { target: 'run', actions: 'turn' },
        'mmio.answer': { target: 'run', actions: 'takeValue' },
      },
    },
    waiting: {
      tags: ['waiting'],
      meta: waitsFor<CpuContext>('a notification'),
      always: { guard: 'allThere', target: 'seeing', actions: 'see' },
      on: { 'flag.set': { actions: 'noteFlag' } },
    },
    seeing: { on: { 'cpu.turn': { target: 'run', actions: ['turn', 'answerNow'] } } },
    stopping: {
      entry: 'beginPolling',
      always: [{ guard: 'ideal', target: 'idealStop' }, { target: 'choosing' }],
    },
    idealStop: {
      tags: ['waiting'],
      meta: waitsFor<CpuContext>('the stop of its channels', ({ spec }) => [...spec.dmacs]),
      always: { guard: 'allStopped', target: 'run', actions: 'answerStop' },
      on: { 'chain.done': { actions: 'noteChain' } },
    },
    choosing: {
      always: [
        { guard: 'allPolled', target: 'run', actions: 'answerStop' },
        { guard: 'knownStopped', target: 'choosing', actions: 'passOver', reenter: true },
        { target: 'asking' },
      ],
    },
    asking: { entry: 'poll', on: { 'cpu.turn': { target: 'sampled', actions: 'judge' } } },
    sampled: { on: { 'cpu.turn': { target: 'choosing', actions: 'turn' } } },
    done: {},
  },
});
