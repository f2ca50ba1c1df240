import { setup } from 'xstate';
import { refused } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { CommandLine } from './command-line.ts';
import type { EibSpec } from './eib-spec.ts';
import { eibProtocol, type Packet } from './protocol.ts';

/** What a command bus is made from. */
export interface CommandBusInput {
  readonly spec: EibSpec;
  readonly arbiter: Address;
}

/** The command bus: what waits, and what it takes in this cycle. */
export interface CommandBusContext {
  readonly arbiter: Address;
  readonly line: CommandLine;
  /** Cycles from a turn to the moment in which the data arbiter hears of the packet. */
  readonly answerBusCycles: number;
  taken: readonly Packet[];
}

const role = eibProtocol.roles.CommandBus;
const { update, post, when, probe } = role.component<CommandBusContext>();

/**
 * The command bus (Cell specification 19.1, 19.2): one command a cycle, one a packet, round robin, the memory controller first.
 *
 * Details: a command offered in cycle x is taken in x+1 at the earliest, its packet starts in x + commandLatencyBusCycles at the earliest: the
 * cycle of the offer and that of the arbiter's decision are part of the latency.
 */
export const eibCommandBus = setup({
  types: role.types<CommandBusContext, CommandBusInput>(),
  guards: { empty: when((bus) => bus.line.count === 0) },
  actions: {
    add: update<'command.request'>((bus, event, { now }) => {
      bus.line.add(event.packet, now);
    }),
    scheduleTurn: post((_bus, _event, { self }) => ({ to: self, type: 'command.turn', delay: 1 })),
    take: update((bus, _event, { now }) => {
      bus.taken = bus.line.take(now);
    }),
    showCommands: probe((bus, _event, { now: t }) =>
      bus.taken.map((packet) => ({ type: 'COMMAND', t, packet })),
    ),
    makeEligible: post((bus) =>
      bus.taken.map((packet) => ({
        to: bus.arbiter,
        type: 'packet.eligible',
        packet,
        delay: bus.answerBusCycles,
      })),
    ),
  },
}).createMachine({
  id: 'eibCommandBus',
  context: ({ input }) => ({
    arbiter: input.arbiter,
    line: new CommandLine(input.spec),
    answerBusCycles: input.spec.commandLatencyBusCycles - 2,
    taken: [],
  }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'command.request': { target: 'serving', actions: ['add', 'scheduleTurn'] },
        'command.turn': refused,
      },
    },
    serving: {
      ...waitingFor<CommandBusContext>('its next cycle'),
      on: {
        'command.request': { actions: 'add' },
        'command.turn': { target: 'choosing', actions: ['take', 'showCommands', 'makeEligible'] },
      },
    },
    choosing: {
      always: [
        { guard: 'empty', target: 'idle' },
        { target: 'serving', actions: 'scheduleTurn' },
      ],
    },
  },
});
