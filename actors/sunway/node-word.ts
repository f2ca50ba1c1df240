import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { waitsFor } from '../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../kernel/resource.ts';
import { memberOf } from '../../kernel/wiring.ts';
import { barrierStates } from '../common/barrier-states.ts';
import { arrayCpes } from './array/identity.ts';
import { type Jittered, type JitterInput, jitterCount, keepJitter } from './jitter.ts';
import type { NodeAdd, NodeEvent, NodeLeave } from './messages.ts';

/** The word of the barrier of all live arrays, and that of all live hosts. */
export const nodeWords = { arrays: 'node', hosts: 'hosts' } as const;

/** The parity word of a core group's array and its host, and that of one CPE and its host (specification 5.3). */
export const parityWord = (cgn: number, tid?: number): string =>
  tid === undefined ? `array ${cgn}` : `spe ${cgn} ${tid}`;

/** All words of a node; the number of a word is that of its actor. */
export const wordsOf = (cgs: number): readonly string[] => [
  ...Object.values(nodeWords),
  ...Array.from({ length: cgs }, (_, cgn) => [
    parityWord(cgn),
    ...Array.from({ length: arrayCpes }, (_, tid) => parityWord(cgn, tid)),
  ]).flat(),
];

/** Core groups that a node has at most. */
const cgsMax = 6;

const numberOf = new Map(wordsOf(cgsMax).map((word, number) => [word, number]));

/** The actor of a word; `words` is that of the first one. */
export const wordAt = (words: Address, word: string): Address => memberOf(words, numberOf.get(word)!);

/** A word of a node on which its cores meet. */
export interface NodeWordInput extends JitterInput {
  readonly word: string;
  readonly cgs: number;
}

/** Somebody who has added to the word and waits for the others of the round. */
interface Party {
  readonly core: number;
  readonly requester: Address;
  readonly old: number;
  readonly answerDelay: number;
}

/** A word of a node on which its cores meet. */
export interface NodeWordContext extends Jittered {
  readonly spec: Fixed<NodeWordInput>;
  /** What it holds: how often anybody has added to it. */
  value: number;
  /** Who waits. */
  waiting: Party[];
  /** Core groups that are no parties any more. */
  gone: number[];
}

const { choose, post, update, when } = component<NodeWordContext, NodeAdd | NodeLeave, NodeEvent>();

/** How many parties make a round. */
export const partiesAt = ({ spec, gone }: NodeWordContext): number => {
  const { word, cgs } = spec.value;
  return word === nodeWords.hosts || word === nodeWords.arrays ? cgs - gone.length : 2;
};

/** The core group of a core; hosts have the numbers below 0. */
const groupOf = (core: number): number => (core < 0 ? -1 - core : Math.floor(core / arrayCpes));

/**
 * A word of the node (specification 5.3, 6.2, 8.10): the barrier of all arrays, of all hosts, or a parity counter between a host and its CPEs.
 *
 * Details: whoever comes adds 1 and waits until the round is complete: until the word is a multiple of the number of parties. A host that has
 * ended and an array without threads of which the host is gone, or that was halted, are parties no more, whether they had come or not.
 */
export const nodeWord = setup({
  types: {} as { context: NodeWordContext; events: NodeAdd | NodeLeave; input: NodeWordInput },
  guards: {
    // It was on its way when its core was stopped.
    isGone: when<'node.add'>(({ gone }, { core }) => gone.includes(groupOf(core))),
    isLast: when<'node.add'>((c) => c.waiting.length + 1 >= partiesAt(c)),
    // With those of its core group gone, nobody else waits, or all who are left.
    leavesLast: when<'node.leave'>((c, { cgn }) => {
      const left = c.waiting.filter(({ core }) => groupOf(core) !== cgn).length;
      return left === 0 || left >= partiesAt(c) - (c.gone.includes(cgn) ? 0 : 1);
    }),
  },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    add: update<'node.add'>((c, { core, answerDelay }, { from: requester }) => {
      c.waiting.push({ core, requester, old: c.value++, answerDelay });
    }),
    leave: update<'node.leave'>((c, { cgn }) => {
      if (!c.gone.includes(cgn)) c.gone.push(cgn);
      c.waiting = c.waiting.filter(({ core }) => groupOf(core) !== cgn);
    }),
    release: post(({ spec, waiting, jitter }) =>
      waiting.map(({ requester: to, old, answerDelay }) => ({
        to,
        type: 'node.event',
        word: spec.value.word,
        old,
        delay: answerDelay + jitter,
      })),
    ),
    beginAgain: update((c) => {
      c.waiting = [];
    }),
  },
}).createMachine({
  id: 'nodeWord',
  context: ({ input }) => ({ spec: fixed(input), jitter: 0, value: 0, waiting: [], gone: [] }),
  initial: 'open',
  states: barrierStates(
    { arrive: 'node.add', leave: 'node.leave' },
    {
      arrive: ['drawJitter', 'add'],
      begin: [],
      wait: [],
      release: ['release', 'beginAgain'],
      leave: ['drawJitter', 'leave'],
    },
    // Its parties wait, and their states say so.
    { meta: waitsFor<NodeWordContext>('the other parties of the round') },
    { guard: 'isGone', actions: 'drawJitter' },
  ),
});
