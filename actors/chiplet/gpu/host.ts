import { setup } from 'xstate';
import { waitingFor } from '../../../kernel/outcome.ts';
import { fixed } from '../../../kernel/resource.ts';
import { LaunchError, launchOf } from '../ptx/launch.ts';
import type { HostContext, HostInput } from './host-context.ts';
import { faultOf } from './host-operation-check.ts';
import type { HostOperation } from './host-operations.ts';
import { carriedOut, deviceOf, HostFault } from './host-work.ts';
import { kernelNamed } from './kernel-name.ts';
import { type ChipletOutbox, chipletProtocol, type MailboxItem } from './protocol.ts';

const role = chipletProtocol.roles.Host;
const { act, post, update, when } = role.component<HostContext>();

/** Operations one after the other until one takes time or waits for somebody. */
function proceed(c: HostContext, out: ChipletOutbox<'Host'>): void {
  for (;;) {
    c.operation = c.program.next(c.answer) ?? null;
    if (c.operation === null) {
      c.verdict = 'ended';
      return;
    }
    try {
      const fault = faultOf(c.operation);
      if (fault !== undefined) throw new HostFault(fault);
      if (begin(c, c.operation, out)) return;
    } catch (error) {
      if (!(error instanceof HostFault || error instanceof LaunchError)) throw error;
      stop(c, error.message, out);
      return;
    }
  }
}

function stop(c: HostContext, why: string, out: ChipletOutbox<'Host'>): void {
  c.verdict = 'stopped';
  out.report({ property: 'the program of a chiplet asks for what there is', why });
}

/** True when the program has to wait. */
function begin(c: HostContext, operation: HostOperation, out: ChipletOutbox<'Host'>): boolean {
  const { spec, cycle } = c;
  switch (operation.op) {
    case 'launch': {
      deviceOf(c, operation);
      const kernel = kernelNamed(c.kernels.value, operation.kernel);
      if (kernel === undefined)
        throw new HostFault(
          `E-PROG found no kernel "${operation.kernel}", expected one of: ${[...c.kernels.value.keys()].join(', ')}`,
        );
      const { grid, block, args, dynamicSharedBytes, cluster } = operation;
      const launch = fixed(launchOf(kernel, grid, block, args, dynamicSharedBytes, cluster));
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
        launch: 0,
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
      if (operation.op === 'output' && out.observed)
        out.probe({ type: 'host.output', name: operation.file, values: [...operation.values] });
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
  types: role.types<HostContext, HostInput>(),
  guards: {
    working: when((c) => c.verdict === 'working'),
    kernel: when((c) => c.verdict === 'kernel'),
    messages: when((c) => c.verdict === 'messages'),
    ended: when((c) => c.verdict === 'ended'),
  },
  actions: {
    proceed: act((c, _event, out) => proceed(c, out)),
    tellEnd: post(({ spec: { watcher } }, { cycle }) =>
      watcher === null ? undefined : { to: watcher, type: 'host.ended', cycle },
    ),
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
  context: ({ input: { self, own, mailbox, device, program, costs, files, watcher = null } }) => ({
    spec: { self, own, mailbox, dispatcher: device?.dispatcher ?? null, watcher, costs },
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
      ...waitingFor<HostContext>('the end of a kernel', ({ spec }) => spec.dispatcher ?? spec.self),
      on: { 'grid.done': { target: 'asking', actions: 'noteReport' }, 'grid.fault': 'stopped' },
    },
    exchanging: {
      ...waitingFor<HostContext>('messages of another chiplet', ({ spec }) => spec.mailbox),
      on: { 'mailbox.answer': { target: 'asking', actions: 'noteValues' } },
    },
    ended: { entry: 'tellEnd' },
    stopped: { entry: 'tellEnd' },
  },
});
