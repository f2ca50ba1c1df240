import { setup } from 'xstate';
import { component, type Outbox, refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { waitsFor } from '../../kernel/outcome.ts';
import type { Program } from '../common/program.ts';
import { type AddressRanges, isMapped, placeOf } from './address-map.ts';
import { chainError, type Descriptor } from './descriptor.ts';
import type { GasnetAnswer, GasnetCall } from './gasnet/calls.ts';
import type { GasnetSetting } from './gasnet/gasnet.ts';
import type { CpuExit, GasnetAnswered, GasnetAsked } from './gasnet/messages.ts';
import type {
  ChainDone,
  ChannelError,
  CopyDone,
  CopyJob,
  CpuTurn,
  Doorbell,
  FlagSet,
  KernelDone,
  KernelLaunch,
  MemoryLoad,
  MemoryLoaded,
  MemoryStore,
  MemoryStored,
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
  /** Looks at bytes of the node's own memories; they are the answer. */
  | { readonly op: 'read'; readonly address: number; readonly bytes: number }
  /** Writes bytes of the node's own memories. */
  | { readonly op: 'write'; readonly address: number; readonly data: Uint8Array }
  /** Copies bytes inside the node: the processor's own loop, or the driver of the GPU (TCA specification 3: cpuCopy, gpuCopy). */
  | { readonly op: 'copy'; readonly src: number; readonly dst: number; readonly bytes: number }
  /** Has the GPU work for so many nanoseconds, behind what it was given before; goes on at once. */
  | { readonly op: 'launch'; readonly ns: number }
  /** Waits until the GPU has done all its kernels. */
  | { readonly op: 'join' }
  /** Reads the performance counter of a channel, which is the answer (TCA specification 8). */
  | { readonly op: 'counter'; readonly channel: number }
  /** Calls the runtime of GASNet (TCA specification 12). */
  | { readonly op: 'gasnet'; readonly call: GasnetCall }
  /** Asks for the time in nanoseconds. */
  | { readonly op: 'now' };

/** What an operation gives back: the time in nanoseconds at which it was done, the value of a register, the code of an error, bytes, or what the runtime says. */
export type NodeAnswer = number | string | Uint8Array | GasnetAnswer;

/** The program of a node, given its rank, the number of nodes and, where there is GASNet, what programs are told of it. */
export type NodeProgram = (
  rank: number,
  nodes: number,
  gasnet?: GasnetSetting,
) => Generator<NodeOperation, void, NodeAnswer>;

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
  readonly memories: Readonly<Record<'cpu' | 'gpu', Address>>;
  readonly copier: Address;
  readonly gpu: Address;
  /** The runtime of GASNet, to which the channels of the node belong then; absent on a node that has none. */
  readonly runtime?: Address;
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
  /** Kernels of the GPU that have not ended. */
  kernels: number;
  /** With which code the job was ended; null while it was not. */
  exitCode: number | null;
  seq: number;
}

type CpuEvent =
  | CpuTurn
  | FlagSet
  | ChainDone
  | ChannelError
  | MemoryLoaded
  | MemoryStored
  | CopyDone
  | KernelDone
  | MmioAnswer
  | GasnetAnswered
  | CpuExit;
type CpuSends =
  | CpuTurn
  | Doorbell
  | MemoryWrite
  | MemoryLoad
  | MemoryStore
  | CopyJob
  | KernelLaunch
  | MmioRead
  | MmioWrite
  | GasnetAsked;

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
    case 'launch': {
      c.kernels++;
      out.post({
        to: c.spec.gpu,
        type: 'kernel.launch',
        ns: operation.ns,
        requester: c.spec.self,
        at: c.now,
      });
      resume(c, 0, out);
      return;
    }
    default:
      resume(c, 0, out);
  }
}

const isAwaited = ({ tag }: Flag, value: number): boolean => tag === undefined || tag === value;
type Called<Op extends NodeOperation['op']> = Extract<NodeOperation, { readonly op: Op }>;

/** Operations of which the channels belong to the runtime of GASNet where there is one. */
const driverOperations: readonly NodeOperation['op'][] = ['start', 'wait', 'stopped', 'pio'];

function memoryOf(c: CpuContext, address: number): Address {
  const { node, region } = placeOf(address);
  if (region === 'chip' || node !== c.spec.node)
    throw new Error(
      `EUR: a program of node ${c.spec.node} looks at address ${address}, which is not in its memory`,
    );
  return c.spec.memories[region];
}

/** Asks a memory, or who copies, for what the program wants. */
function askMemory(c: CpuContext, out: Outbox<CpuSends>): void {
  const operation = c.operation as Called<'read' | 'write' | 'copy'>;
  const { self, copier } = c.spec;
  switch (operation.op) {
    case 'read': {
      const { address, bytes } = operation;
      const to = memoryOf(c, address);
      out.post({ to, type: 'memory.load', addr: address, bytes, requester: self, at: c.now });
      return;
    }
    case 'write': {
      const { address, data } = operation;
      const to = memoryOf(c, address);
      out.post({ to, type: 'memory.store', addr: address, data, requester: self, at: c.now });
      return;
    }
    default: {
      const { src, dst, bytes } = operation;
      out.post({ to: copier, type: 'copy.job', src, dst, bytes, requester: self, at: c.now });
    }
  }
}

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
    ownedByRuntime: when((c) => c.spec.runtime !== undefined && driverOperations.includes(c.operation!.op)),
    withoutRuntime: when((c) => c.operation?.op === 'gasnet' && c.spec.runtime === undefined),
    asksMemory: when((c) => ['read', 'write', 'copy'].includes(c.operation!.op)),
    joins: when((c) => c.operation?.op === 'join'),
    samples: when((c) => c.operation?.op === 'counter'),
    calls: when((c) => c.operation?.op === 'gasnet'),
    gpuRests: when((c) => c.kernels === 0),
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
    refuseDriver: update((c) => {
      c.answer = 'EBUSY: the channels of this node belong to GASNet';
    }),
    refuseGasnet: act((_c, _event, out) => {
      out.report({
        property: 'a program calls the runtime of its node',
        why: 'found a call of GASNet on a node without it, expected "gasnet: {}" in the configuration of the machine',
      });
    }),
    askMemory: act((c, _event, out) => askMemory(c, out)),
    takeBytes: update<'memory.loaded'>((c, { data }) => {
      c.answer = data;
    }),
    takeTime: update((c, { at }) => {
      c.now = at;
      c.answer = nanoseconds(at);
    }),
    noteKernel: update<'kernel.done'>((c, { at }) => {
      c.kernels--;
      c.now = Math.max(c.now, at);
    }),
    takeCount: act<'cpu.turn'>((c, { at }, out) => {
      c.now = at;
      c.answer = c.finished[(c.operation as Called<'counter'>).channel]!;
      resume(c, c.spec.parameters.perfCounterReadRoundTrip / 2, out);
    }),
    call: act((c, _event, out) => {
      const { call } = c.operation as Called<'gasnet'>;
      out.post({ to: c.spec.runtime!, type: 'gasnet.call', call, at: c.now });
    }),
    takeAnswer: update<'gasnet.return'>((c, { answer, at }) => {
      c.now = at;
      c.answer = answer;
    }),
    noteExit: update<'cpu.exit'>((c, { code, at }) => {
      c.now = at;
      c.exitCode = code;
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
    kernels: 0,
    exitCode: null,
    seq: 0,
  }),
  on: {
    'kernel.done': { actions: 'noteKernel' },
    'cpu.exit': { target: '.done', actions: 'noteExit' },
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
        { guard: 'ownedByRuntime', target: 'run', actions: 'refuseDriver', reenter: true },
        { guard: 'withoutRuntime', target: 'done', actions: 'refuseGasnet' },
        { guard: 'calls', target: 'calling', actions: 'call' },
        { guard: 'asksMemory', target: 'accessing', actions: 'askMemory' },
        { guard: 'joins', target: 'joining' },
        { guard: 'samples', target: 'sampling', actions: 'poll' },
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
    calling: { on: { 'gasnet.return': { target: 'run', actions: 'takeAnswer' } } },
    accessing: {
      on: {
        'memory.loaded': { target: 'run', actions: 'takeBytes' },
        'memory.stored': { target: 'run', actions: 'takeTime' },
        'copy.done': { target: 'run', actions: 'takeTime' },
      },
    },
    joining: { always: { guard: 'gpuRests', target: 'run', actions: 'answerNow' } },
    sampling: { on: { 'cpu.turn': { target: 'counted', actions: 'takeCount' } } },
    counted: { on: { 'cpu.turn': { target: 'run', actions: 'turn' } } },
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
    // What was under way when the job ended comes to nobody.
    done: {
      on: {
        'cpu.turn': refused,
        'memory.loaded': refused,
        'memory.stored': refused,
        'copy.done': refused,
        'mmio.answer': refused,
        'gasnet.return': refused,
        'cpu.exit': refused,
      },
    },
  },
});
