import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import {
  type Answer,
  type CycleCommand,
  descriptions,
  type FunctionalCommand,
  type TransferCommand,
  uidPlace,
} from './commands.ts';
import { anyPlace, type Place, placeText } from './place.ts';
import type { ProcessBegin } from './round-messages.ts';
import { type LoggedStep, type Script, type ScriptStep, ticksPerSecond } from './script.ts';

/** Fixed when the parts are wired. */
export interface ProcessSpec {
  readonly self: Address;
  readonly place: Place;
  readonly script: Script;
  readonly functionalCoordinator: Address;
  readonly timingCoordinator: Address;
  /** Addresses of all processes by the text of their place. */
  readonly processes: Readonly<Record<string, Address>>;
}

/** What a process remembers. */
export interface ProcessContext extends ProcessSpec {
  /** Index of the step that it is in. */
  at: number;
  /** Its own clock, in cycles. */
  clock: number;
  /** Who launched it, while it is in a `waitlaunch`. */
  launcher: Place;
  log: LoggedStep[];
  /** Logs of earlier rounds. */
  logs: LoggedStep[][];
}

type ProcessEvent = ProcessBegin | { readonly type: 'process.wake' } | Answer;
type Sent = FunctionalCommand | TransferCommand | CycleCommand | { readonly type: 'process.wake' };

/** The kit of processes, also for planted faults. */
export const processKit = component<ProcessContext, ProcessEvent, Sent>();
const { update, post, when } = processKit;

const stepOf = ({ script, at }: ProcessContext): ScriptStep => script[at]!;

const stepIs = (...kinds: readonly ScriptStep[0][]) =>
  when((p) => p.at < p.script.length && kinds.includes(stepOf(p)[0]));

/** The functional command of a step. */
function functionalCommand(
  { self: by, place }: ProcessContext,
  step: ScriptStep,
): FunctionalCommand | undefined {
  switch (step[0]) {
    case 'send':
      return { type: 'command.send', by, source: place, target: { x: step[1], y: step[2] } };
    case 'recv':
      return { type: 'command.receive', by, source: { x: step[1], y: step[2] }, target: place };
    case 'barrier':
      return { type: 'command.barrier', by, source: place, uid: step[1], count: step[2] };
    case 'lock':
      return { type: 'command.lock', by, source: place, uid: step[1] };
    case 'unlock':
      return { type: 'command.unlock', by, source: place, uid: step[1] };
    case 'launch':
      return { type: 'command.launch', by, source: place, target: { x: step[1], y: step[2] } };
    case 'waitlaunch':
      return { type: 'command.waitlaunch', by, source: anyPlace, target: place };
    case 'compute':
    case 'sleep':
      return undefined;
    default:
      return step satisfies never;
  }
}

/** The timing command of a step: one byte where only the fact is sent. */
function timingCommand(process: ProcessContext, step: ScriptStep): TransferCommand | undefined {
  const { self: by, place, clock: cycle, launcher } = process;
  const write = (target: Place, bytes: number, description: number): TransferCommand => ({
    type: 'command.write',
    by,
    cycle,
    source: place,
    target,
    bytes,
    description,
  });
  const read = (source: Place, bytes: number, description: number): TransferCommand => ({
    type: 'command.read',
    by,
    cycle,
    source,
    target: place,
    bytes,
    description,
  });
  switch (step[0]) {
    case 'send':
      return write({ x: step[1], y: step[2] }, step[3], 0);
    case 'recv':
      return read({ x: step[1], y: step[2] }, step[3], 0);
    case 'barrier':
      return write(uidPlace(step[1]), 1, descriptions.barrier | step[2]);
    case 'lock':
      return write(uidPlace(step[1]), 1, descriptions.lock);
    case 'unlock':
      return write(uidPlace(step[1]), 1, descriptions.unlock);
    case 'launch':
      return write({ x: step[1], y: step[2] }, 1, descriptions.launch);
    case 'waitlaunch':
      return read(launcher, 1, descriptions.launch);
    case 'compute':
    case 'sleep':
      return undefined;
    default:
      return step satisfies never;
  }
}

/** The process at the other end of a transfer or launch, where the step names one. */
const peerOf = (process: ProcessContext): readonly Address[] => {
  const step = stepOf(process);
  if (step[0] !== 'send' && step[0] !== 'recv' && step[0] !== 'launch') return [];
  const peer = process.processes[placeText({ x: step[1], y: step[2] })];
  return peer === undefined ? [] : [peer];
};

const waiting = (what: string) =>
  ({ tags: 'waiting', meta: waitsFor<ProcessContext>(what, peerOf) }) as const;
const result = { 'answer.result': { target: 'timing', actions: 'noteLauncher' } } as const;

/**
 * A chiplet's program under the coordinator: one process (chiplet specification 9.2, golden scripts).
 *
 * Details: each step but `compute` and `sleep` is a functional command, its RESULT, then the timing command at the local clock and its SYNC, which
 * sets the clock. A command takes a tick. The data of a transfer stay out: nothing that the coordinator does depends on them.
 */
export const process = setup({
  types: {} as { context: ProcessContext; events: ProcessEvent; input: ProcessSpec },
  guards: {
    over: when((p) => p.at >= p.script.length),
    computes: stepIs('compute'),
    sleeps: stepIs('sleep'),
    transfers: stepIs('send', 'recv'),
    meets: stepIs('barrier'),
    locks: stepIs('lock', 'unlock'),
    launches: stepIs('launch', 'waitlaunch'),
  },
  actions: {
    restart: update<'process.begin'>((p, { round }) => {
      if (round > 1) p.logs.push(p.log);
      p.log = [];
      p.at = 0;
      p.clock = 0;
      p.launcher = anyPlace;
    }),
    compute: update((p) => {
      const step = stepOf(p);
      if (step[0] === 'compute') p.clock += step[1];
      p.at++;
    }),
    sleep: post((p) => {
      const step = stepOf(p);
      const seconds = step[0] === 'sleep' ? step[1] : 0;
      return { to: p.self, type: 'process.wake', delay: Math.round(seconds * ticksPerSecond) };
    }),
    ask: post((p) => {
      const command = functionalCommand(p, stepOf(p));
      return command && { to: p.functionalCoordinator, delay: 1, ...command };
    }),
    noteLauncher: update<'answer.result'>((p, { values }) => {
      if (stepOf(p)[0] === 'waitlaunch') p.launcher = { x: Number(values[0]), y: Number(values[1]) };
    }),
    tellTime: post((p) => {
      const command = timingCommand(p, stepOf(p));
      return command && { to: p.timingCoordinator, delay: 1, ...command };
    }),
    goOn: update<'answer.sync'>((p, { cycle }) => {
      const step = stepOf(p);
      const found = step[0] === 'waitlaunch' ? [step[0], p.launcher.x, p.launcher.y] : [...step];
      p.log.push({ step: found, issued: p.clock, synced: cycle });
      p.clock = cycle;
      p.at++;
    }),
    next: update((p) => {
      p.at++;
    }),
    tellEnd: post((p) => ({
      to: p.timingCoordinator,
      type: 'command.cycle',
      delay: 1,
      by: p.self,
      cycle: p.clock,
    })),
  },
}).createMachine({
  id: 'process',
  context: ({ input }) => ({ ...input, at: 0, clock: 0, launcher: anyPlace, log: [], logs: [] }),
  initial: 'resting',
  states: {
    resting: { on: { 'process.begin': { target: 'deciding', actions: 'restart' } } },
    deciding: {
      always: [
        { guard: 'over', target: 'resting', actions: 'tellEnd' },
        { guard: 'computes', target: 'computed', actions: 'compute' },
        { guard: 'sleeps', target: 'sleeping' },
        { guard: 'transfers', target: 'openingPipe' },
        { guard: 'meets', target: 'atBarrier' },
        { guard: 'locks', target: 'atLock' },
        { guard: 'launches', target: 'atLaunch' },
      ],
    },
    computed: { always: 'deciding' },
    sleeping: { entry: 'sleep', on: { 'process.wake': { target: 'deciding', actions: 'next' } } },
    openingPipe: { ...waiting('the pipe'), entry: 'ask', on: result },
    atBarrier: { ...waiting('the others at its barrier'), entry: 'ask', on: result },
    atLock: { ...waiting('its lock'), entry: 'ask', on: result },
    atLaunch: { ...waiting('the other side of a launch'), entry: 'ask', on: result },
    timing: {
      ...waiting('the other end of its transaction'),
      entry: 'tellTime',
      on: { 'answer.sync': { target: 'deciding', actions: 'goOn' } },
    },
  },
});
