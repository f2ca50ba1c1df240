import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { field } from '../../kernel/protocol/field.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';

/** What processes say to each other: a request carries the time of its sender's clock. They show that they have asked to enter, and that they have entered. */
export const mutexProtocol = protocol({
  Process: {
    receives: { Request: { time: field.int() }, Ack: {}, Release: {} },
    timers: ['want', 'leave'],
    shows: { 'mutex.requested': {}, 'mutex.entered': {} },
  },
});
const role = mutexProtocol.roles.Process;

/** Fixed when the process is placed. */
export interface MutexSpec {
  /** All processes, itself included, ascending. */
  readonly processes: readonly Address[];
  /** How often it wants to enter. */
  readonly rounds: number;
}

/** What a process remembers. */
export interface MutexContext extends MutexSpec {
  rounds: number;
  clock: number;
  /** By process: the time of its request, 0 for none. */
  requests: number[];
  /** Who has acknowledged its own request, ascending. */
  acks: Address[];
}

/** The kit of these processes, also for planted faults. */
export const mutexKit = role.component<MutexContext>();
const { act, update, when } = mutexKit;

const others = ({ processes }: MutexContext, self: Address): readonly Address[] =>
  processes.filter((one) => one !== self);

/** True when the request of one process comes before that of another: by time, then by process. */
const isBefore = ({ requests }: MutexContext, one: number, other: number): boolean =>
  requests[one]! < requests[other]! || (requests[one] === requests[other] && one < other);

/**
 * A process that enters a critical section when its request is the oldest and everybody knows it (Lamport, "Time, clocks, and the ordering of events in a distributed system", 1978).
 *
 * Details: that somebody has sent something later than a request, as the paper has it, is known from his acknowledgement.
 */
export const mutexProcess = setup({
  types: role.types<MutexContext, MutexSpec>(),
  guards: {
    isAcknowledged: when(({ processes, acks }) => acks.length === processes.length - 1),
    isOldest: when((process, _event, { self }) => {
      const own = process.processes.indexOf(self);
      return process.requests.every((time, at) => at === own || time === 0 || isBefore(process, own, at));
    }),
  },
  actions: {
    rest: act(({ rounds }, _event, out) => {
      if (rounds > 0) out.setTimer('want');
    }),
    request: act((process, _event, out) => {
      const time = ++process.clock;
      process.rounds--;
      process.requests[process.processes.indexOf(out.self)] = time;
      process.acks = [];
      out.probe({ type: 'mutex.requested' });
      for (const to of others(process, out.self)) out.post({ to, type: 'Request', time });
    }),
    note: act<'Request'>((process, { time }, out) => {
      process.requests[process.processes.indexOf(out.from)] = time;
    }),
    advanceClock: update<'Request'>((process, { time }) => {
      process.clock = Math.max(process.clock, time);
    }),
    acknowledge: act((_process, _event, out) => out.post({ to: out.from, type: 'Ack' })),
    countAck: update<'Ack'>((process, _event, { from }) => {
      process.acks = [...process.acks, from].sort((a, b) => a - b);
    }),
    enter: act((_process, _event, out) => {
      out.probe({ type: 'mutex.entered' });
      out.setTimer('leave');
    }),
    release: act((process, _event, out) => {
      process.requests[process.processes.indexOf(out.self)] = 0;
      process.acks = [];
      for (const to of others(process, out.self)) out.post({ to, type: 'Release' });
    }),
    forget: update<'Release'>((process, _event, { from }) => {
      process.requests[process.processes.indexOf(from)] = 0;
    }),
  },
}).createMachine({
  id: 'mutexProcess',
  context: ({ input }) => ({ ...input, clock: 0, requests: input.processes.map(() => 0), acks: [] }),
  initial: 'outside',
  on: {
    Request: { actions: ['note', 'advanceClock', 'acknowledge'] },
    Release: { actions: 'forget' },
    Ack: refused,
    want: refused,
    leave: refused,
  },
  states: {
    outside: { entry: 'rest', on: { want: { target: 'requesting', actions: 'request' } } },
    requesting: {
      tags: ['waiting'],
      always: { guard: 'isAcknowledged', target: 'acknowledged' },
      on: { Ack: { actions: 'countAck' } },
    },
    acknowledged: { tags: ['waiting'], always: { guard: 'isOldest', target: 'inside' } },
    inside: { entry: 'enter', on: { leave: { target: 'outside', actions: 'release' } } },
  },
});
