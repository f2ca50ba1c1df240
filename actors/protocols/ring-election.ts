import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { field } from '../../kernel/protocol/field.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';

const id = field.int();

/** What goes around the ring: who stands for election, and who has won. A node may begin an election at any time. */
export const ringElectionProtocol = protocol({
  Node: { receives: { Election: { id }, Elected: { id } }, timers: ['stand'] },
});
const role = ringElectionProtocol.roles.Node;

/** Fixed when the node is placed. */
export interface RingNodeSpec {
  readonly next: Address;
  /** Different for all nodes. */
  readonly id: number;
}

/** What a node remembers. */
export interface RingNodeContext extends RingNodeSpec {
  /** Who leads, as it was told; -1 as long as it was not. */
  leader: number;
}

/** The kit of these nodes, also for planted faults. */
export const ringNodeKit = role.component<RingNodeContext>();
const { act, post, update, when } = ringNodeKit;

/**
 * A node of a ring that elects the node of the largest identity (Chang and Roberts, "An improved algorithm for decentralized extrema-finding in circular configurations of processes", 1979).
 *
 * Details: a smaller identity that comes to a node that takes part is not passed on, so it stays under way where nobody receives it.
 */
export const ringNode = setup({
  types: role.types<RingNodeContext, RingNodeSpec>(),
  guards: {
    isLarger: when<'Election'>((node, { id }) => id > node.id),
    isSmaller: when<'Election'>((node, { id }) => id < node.id),
    isOwn: when<'Election' | 'Elected'>((node, { id }) => id === node.id),
  },
  actions: {
    begin: act((_node, _event, out) => out.setTimer('stand')),
    takePart: act((_node, _event, out) => out.cancelTimer('stand')),
    stand: post(({ next: to, id }) => ({ to, type: 'Election', id })),
    passOn: post<'Election' | 'Elected'>(({ next: to }, { type, id }) => ({ to, type, id })),
    lead: post(({ next: to, id }) => ({ to, type: 'Elected', id })),
    learn: update<'Election' | 'Elected'>((node, { id }) => {
      node.leader = id;
    }),
  },
}).createMachine({
  id: 'ringNode',
  context: ({ input }) => ({ ...input, leader: -1 }),
  initial: 'idle',
  on: {
    Elected: { target: '.follower', actions: ['learn', 'passOn'] },
    Election: refused,
    stand: refused,
  },
  states: {
    idle: {
      entry: 'begin',
      on: {
        stand: { target: 'candidate', actions: 'stand' },
        Election: [
          { guard: 'isLarger', target: 'candidate', actions: 'passOn' },
          { guard: 'isSmaller', target: 'candidate', actions: 'stand' },
        ],
      },
    },
    candidate: {
      entry: 'takePart',
      on: {
        Election: [
          { guard: 'isLarger', actions: 'passOn' },
          { guard: 'isOwn', target: 'leader', actions: ['learn', 'lead'] },
        ],
      },
    },
    leader: { on: { Elected: [{ guard: 'isOwn' }, { target: 'follower', actions: ['learn', 'passOn'] }] } },
    follower: { on: { Elected: refused } },
  },
});
