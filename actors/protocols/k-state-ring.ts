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

const begin = act((machine, _event, out) => {
  machine.value = out.pick('state of the machine', machine.states);
  out.post({ to: machine.right, type: 'State', value: out.pick('state under way', machine.states) });
});
const tell = post(({ right: to, value }) => ({ to, type: 'State', value }));
const types = role.types<RingMachineContext, RingMachineSpec>();
const moves = (next: (machine: RingMachineContext, told: number) => number) =>
  act((machine, { value }, out) => {
    machine.value = next(machine, value);
    out.probe({ type: 'machine.moved' });
  });

/*
 * Dijkstra's K-state machines ("Self-stabilizing systems in spite of distributed control", 1974, the first solution). His machines look at their left neighbour; these are told its state
 * by messages that keep their order, one for each machine: a message on its way is like one more machine that copies its neighbour. They begin in any states, with any messages.
 */

/** The bottom machine: privileged when its state is that of the last machine. */
export const bottomMachine = setup({
  types,
  guards: { isPrivileged: when((machine, { value }) => value === machine.value) },
  actions: { begin, move: moves(({ value, states }) => (value + 1) % states), tell },
}).createMachine({
  id: 'bottomMachine',
  context: ({ input }) => ({ ...input, value: 0 }),
  initial: 'listening',
  entry: 'begin',
  states: {
    listening: {
      on: { State: [{ guard: 'isPrivileged', actions: ['move', 'tell'] }, { actions: 'tell' }] },
    },
  },
});

/** Any other machine: privileged when its state is not that of its left neighbour. */
export const otherMachine = setup({
  types,
  guards: { isPrivileged: when((machine, { value }) => value !== machine.value) },
  actions: { begin, move: moves((_machine, told) => told), tell },
}).createMachine({
  id: 'otherMachine',
  context: ({ input }) => ({ ...input, value: 0 }),
  initial: 'listening',
  entry: 'begin',
  states: {
    listening: {
      on: { State: [{ guard: 'isPrivileged', actions: ['move', 'tell'] }, { actions: 'tell' }] },
    },
  },
});
