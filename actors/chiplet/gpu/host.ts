import { setup } from 'xstate';
import { component, type Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import type { Program } from '../../common/program.ts';
import { deviceBase } from '../ptx/address-space.ts';
import type { DeviceMemory } from '../ptx/device-memory.ts';
import type { Kernel } from '../ptx/kernel.ts';
import { LaunchError, launchOf } from '../ptx/launch.ts';
import type { ChipletAddress } from '../ptx/message-code.ts';
import { decodeValues, encodeValues } from '../ptx/typed-values.ts';
import { bytesOf } from '../ptx/value-type.ts';
import type { HostAnswer, HostCosts, HostOperation } from './host-operations.ts';
import type {
  GridDone,
  GridFault,
  GridLaunch,
  HostTurn,
  MailboxAnswer,
  MailboxItem,
  MailboxRequest,
} from './messages.ts';
import type { KernelReport } from './statistics.ts';

/** The device of a GPU chiplet, as its host sees it. */
export interface HostDevice {
  readonly dispatcher: Address;
  readonly memory: DeviceMemory;
  readonly kernels: ReadonlyMap<string, Kernel>;
}

/** A host, and whom it knows. */
export interface HostInput {
  readonly self: Address;
  readonly own: ChipletAddress;
  readonly mailbox: Address;
  /** Null on a CPU chiplet. */
  readonly device: HostDevice | null;
  readonly program: Program<HostOperation, HostAnswer>;
  readonly costs: HostCosts;
  /** Data files by name. */
  readonly files: Readonly<Record<string, readonly number[]>>;
}

/** What a host waits for after an operation. */
type Verdict = 'working' | 'kernel' | 'messages' | 'ended' | 'stopped';

/** What a host remembers. */
export interface HostContext {
  readonly spec: {
    readonly self: Address;
    readonly own: ChipletAddress;
    readonly mailbox: Address;
    readonly dispatcher: Address | null;
    readonly costs: HostCosts;
  };
  readonly kernels: Fixed<ReadonlyMap<string, Kernel>>;
  readonly files: Fixed<Readonly<Record<string, readonly number[]>>>;
  readonly memory: DeviceMemory | null;
  readonly program: Program<HostOperation, HostAnswer>;
  operation: HostOperation | null;
  answer: HostAnswer;
  /** The cycle in which the next operation begins; the first one is 1. */
  cycle: number;
  verdict: Verdict;
  reports: KernelReport[];
  /** Rounds in which it waited for messages. */
  receives: number;
  /** Output files by name. */
  outputs: Record<string, readonly number[]>;
  /** Indices of values received, by sender, for mailboxes that are read by index. */
  received: Record<string, number>;
}

type HostEvent = HostTurn | GridDone | GridFault | MailboxAnswer;
type HostSends = HostTurn | GridLaunch | MailboxRequest;

const { act, update, when } = component<HostContext, HostEvent, HostSends>();

/** Something that a program must not ask for: it ends there. */
class HostFault extends Error {}

/** What an operation that needs nobody else gives, and the cycles that it takes. */
function carriedOut(c: HostContext, operation: HostOperation): readonly [answer: HostAnswer, cycles: number] {
  const { costs } = c.spec;
  switch (operation.op) {
    case 'malloc': {
      const address = deviceOf(c, operation).allocate(operation.bytes);
      if (address === undefined) throw new HostFault(`E-MEM found no room for ${operation.bytes} bytes`);
      return [address, 0];
    }
    case 'free':
      if (!deviceOf(c, operation).free(operation.address))
        throw new HostFault(`E-MEM found no allocation at ${operation.address}, expected one to free`);
      return [null, 0];
    case 'copyIn': {
      const bytes = encodeValues(operation.type, operation.values);
      const memory = allocated(c, operation, bytes.length);
      memory.claim();
      memory.bytes.set(bytes, operation.address - deviceBase);
      return [null, operation.values.length * costs.cyclesPerCopied];
    }
    case 'copyOut': {
      const { address, type, count } = operation;
      const memory = allocated(c, operation, count * bytesOf(type));
      return [decodeValues(memory, address, type, count), count * costs.cyclesPerCopied];
    }
    case 'compute':
      return [null, Math.ceil(operation.instructions * costs.cyclesPerInstruction)];
    case 'access':
      return [null, Math.ceil(operation.elements * costs.cyclesPerElement)];
    case 'loadInts': {
      const { file, from, to } = operation;
      const values = c.files.value[file];
      if (values === undefined || from < 0 || to > values.length || from > to)
        throw new HostFault(
          `E-FILE found integers ${from} to ${to} of "${file}", expected them in one of: ${Object.keys(c.files.value).join(', ') || 'no files'}`,
        );
      return [values.slice(from, to), Math.ceil((to - from) * costs.cyclesPerElement)];
    }
    case 'output':
      c.outputs[operation.file] = [...operation.values];
      return [null, Math.ceil(operation.values.length * costs.cyclesPerElement)];
    case 'now':
      return [c.cycle - 1, 0];
    default:
      return [null, 0];
  }
}

function deviceOf({ memory }: HostContext, { op }: HostOperation): DeviceMemory {
  if (memory === null) throw new HostFault(`E-PROG found ${op} on a CPU chiplet, expected a GPU chiplet`);
  return memory;
}

function allocated(c: HostContext, operation: HostOperation & { readonly address: number }, bytes: number) {
  const memory = deviceOf(c, operation);
  if (bytes > 0 && !memory.find(operation.address, bytes))
    throw new HostFault(
      `E-MEM found ${operation.op} of ${bytes} bytes at ${operation.address}, expected an allocation`,
    );
  return memory;
}

/** Operations one after the other until one takes time or waits for somebody. */
function proceed(c: HostContext, out: Outbox<HostSends>): void {
  for (;;) {
    c.operation = c.program.next(c.answer) ?? null;
    if (c.operation === null) {
      c.verdict = 'ended';
      return;
    }
    try {
      if (begin(c, c.operation, out)) return;
    } catch (error) {
      if (!(error instanceof HostFault || error instanceof LaunchError)) throw error;
      stop(c, error.message, out);
      return;
    }
  }
}

function stop(c: HostContext, why: string, out: Outbox<HostSends>): void {
  c.verdict = 'stopped';
  out.report({ property: 'the program of a chiplet asks for what there is', why });
}

/** True when the program has to wait. */
function begin(c: HostContext, operation: HostOperation, out: Outbox<HostSends>): boolean {
  const { spec, cycle } = c;
  switch (operation.op) {
    case 'launch': {
      deviceOf(c, operation);
      const kernel = c.kernels.value.get(operation.kernel);
      if (kernel === undefined)
        throw new HostFault(
          `E-PROG found no kernel "${operation.kernel}", expected one of: ${[...c.kernels.value.keys()].join(', ')}`,
        );
      const { grid, block, args, dynamicSharedBytes } = operation;
      const launch = fixed(launchOf(kernel, grid, block, args, dynamicSharedBytes));
      out.post({ to: spec.dispatcher!, type: 'grid.launch', launch, cycle });
      c.verdict = 'kernel';
      return true;
    }
    case 'send':
    case 'receive': {
      const items = itemsOf(c, operation);
      if (items.length === 0) {
        c.answer = [];
        return false;
      }
      if (operation.op === 'receive') c.receives++;
      out.post({
        to: spec.mailbox,
        type: 'mailbox.request',
        asker: spec.self,
        ticket: 0,
        items,
        afterCycles: operation.op === 'send' ? 1 : 0,
        receiveCycles: spec.costs.cyclesPerReceived,
        cycle,
      });
      c.verdict = 'messages';
      return true;
    }
    default: {
      const [answer, cycles] = carriedOut(c, operation);
      c.answer = answer;
      if (cycles === 0) return false;
      c.cycle += cycles;
      c.verdict = 'working';
      out.post({ to: spec.self, type: 'host.turn', cycle: c.cycle, delay: cycles });
      return true;
    }
  }
}

function itemsOf(c: HostContext, operation: HostOperation): readonly MailboxItem[] {
  const { own } = c.spec;
  if (operation.op === 'send')
    return operation.values.map((value) => ({ operation: 'send', own, peer: operation.to, value }));
  if (operation.op !== 'receive') return [];
  const { from, count } = operation;
  const key = from.join(',');
  const first = c.received[key] ?? 0;
  c.received[key] = first + count;
  return Array.from({ length: count }, (_, at) => ({
    operation: 'receive',
    own,
    peer: from,
    value: first + at,
  }));
}

/** The program of a chiplet: the host side of a GPU chiplet, or a CPU chiplet (chiplet specification 4.4, 4.5, 8). */
export const host = setup({
  types: {} as { context: HostContext; events: HostEvent; input: HostInput },
  guards: {
    working: when((c) => c.verdict === 'working'),
    kernel: when((c) => c.verdict === 'kernel'),
    messages: when((c) => c.verdict === 'messages'),
    ended: when((c) => c.verdict === 'ended'),
  },
  actions: {
    proceed: act((c, _event, out) => proceed(c, out)),
    noteCycle: update<'host.turn'>((c, { cycle }) => {
      c.cycle = cycle;
    }),
    noteReport: update<'grid.done'>((c, { report, cycle }) => {
      c.cycle = cycle;
      c.reports.push(report);
      c.answer = report;
    }),
    noteValues: update<'mailbox.answer'>((c, { values, cycle }) => {
      c.cycle = cycle;
      c.answer = values;
    }),
  },
}).createMachine({
  id: 'host',
  context: ({ input: { self, own, mailbox, device, program, costs, files } }) => ({
    spec: { self, own, mailbox, dispatcher: device?.dispatcher ?? null, costs },
    kernels: fixed(device?.kernels ?? new Map()),
    files: fixed(files),
    memory: device?.memory ?? null,
    program,
    operation: null,
    answer: null,
    cycle: 1,
    verdict: 'working',
    reports: [],
    receives: 0,
    outputs: {},
    received: {},
  }),
  initial: 'idle',
  states: {
    idle: { on: { 'host.turn': { target: 'asking', actions: 'noteCycle' } } },
    asking: {
      entry: 'proceed',
      always: [
        { guard: 'working', target: 'working' },
        { guard: 'kernel', target: 'launching' },
        { guard: 'messages', target: 'exchanging' },
        { guard: 'ended', target: 'ended' },
        { target: 'stopped' },
      ],
    },
    working: { on: { 'host.turn': { target: 'asking', actions: 'noteCycle' } } },
    launching: {
      tags: ['waiting'],
      meta: waitsFor<HostContext>('the end of a kernel', ({ spec }) => spec.dispatcher ?? spec.self),
      on: { 'grid.done': { target: 'asking', actions: 'noteReport' }, 'grid.fault': 'stopped' },
    },
    exchanging: {
      tags: ['waiting'],
      meta: waitsFor<HostContext>('messages of another chiplet', ({ spec }) => spec.mailbox),
      on: { 'mailbox.answer': { target: 'asking', actions: 'noteValues' } },
    },
    ended: {},
    stopped: {},
  },
});
