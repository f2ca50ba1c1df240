import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { field } from '../../kernel/protocol/field.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';

/** What a machine tells the one on its right: its state, a number below K. It shows that it was privileged, and has moved. */
export const kStateProtocol = protocol({
  Machine: { receives: { State: { value: field.int() } }, shows: { 'machine.moved': {} } },
});
const role = kStateProtocol.roles.Machine;

/** Fixed when the machine is placed. */
export interface RingMachineSpec {
  readonly right: Address;
  readonly isBottom: boolean;
  /** States that a machine may have: K. */
  readonly states: number;
}

/** What a machine remembers. */
export interface RingMachineContext extends RingMachineSpec {
  value: number;
}

/** The kit of these machines, also for planted faults. */
export const ringMachineKit = role.component<RingMachineContext>();
const { act, post, when } = ringMachineKit;

const moves = (next: (machine: RingMachineContext, told: number) => number) =>
  act((machine, { value }, out) => {
    machine.value = next(machine, value);
    out.probe({ type: 'machine.moved' });
  });

/**
 * One of Dijkstra's K-state machines ("Self-stabilizing systems in spite of distributed control", 1974, the first solution): the bottom machine is privileged when its state is that of the
 * last machine, any other one when its state is not that of its left neighbour.
 *
 * Details: his machines look at their left neighbour; these are told its state by messages that keep their order, one for each machine: a message on its way is like one more machine that
 * copies its neighbour. They begin in any states, with any messages.
 */
export const ringMachine = setup({
  types: role.types<RingMachineContext, RingMachineSpec>(),
  guards: {
    isBottom: when(({ isBottom }) => isBottom),
    isSame: when((machine, { value }) => value === machine.value),
  },
  actions: {
    begin: act((machine, _event, out) => {
      machine.value = out.pick('state of the machine', machine.states);
      out.post({
        to: machine.right,
        type: 'State',
        value: out.pick('state under way', machine.states),
      });
    }),
    moveOn: moves(({ value, states }) => (value + 1) % states),
    copy: moves((_machine, told) => told),
    tell: post(({ right: to, value }) => ({ to, type: 'State', value })),
  },
}).createMachine({
  id: 'ringMachine',
  context: ({ input }) => ({ ...input, value: 0 }),
  initial: 'beginning',
  entry: 'begin',
  states: {
    beginning: { always: [{ guard: 'isBottom', target: 'bottom' }, { target: 'other' }] },
    bottom: { on: { State: [{ guard: 'isSame', actions: ['moveOn', 'tell'] }, { actions: 'tell' }] } },
    other: { on: { State: [{ guard: 'isSame', actions: 'tell' }, { actions: ['copy', 'tell'] }] } },
  },
});
