import { setup } from 'xstate';
import { component, type Outbox } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { type Fixed, fixed } from '../../kernel/resource.ts';
import { arrayCpes } from './array/identity.ts';
import { type Jittered, type JitterInput, jitterCount, keepJitter } from './jitter.ts';
import type { NodeAdd, NodeEvent, NodeLeave } from './messages.ts';

/** The words of a node on which its cores meet. */
export interface NodeCrossInput extends JitterInput {
  readonly cgs: number;
}

/** Somebody who has added to a word and waits for the others of the round. */
interface Party {
  readonly core: number;
  readonly requester: Address;
  readonly old: number;
  readonly answerDelay: number;
}

/** The words of a node on which its cores meet. */
export interface NodeCrossContext extends Jittered {
  readonly spec: Fixed<NodeCrossInput>;
  /** What each word holds: how often anybody has added to it. */
  words: Map<string, number>;
  /** Who waits at each word. */
  waiting: Map<string, Party[]>;
  /** Core groups of which the host process has ended, and those of which the array gets no more work. */
  endedHosts: number[];
  haltedArrays: number[];
}

type NodeCrossEvent = NodeAdd | NodeLeave;
type Out = Outbox<NodeEvent>;

const { act, choose } = component<NodeCrossContext, NodeCrossEvent, NodeEvent>();

/** The word of the barrier of all live arrays, and that of all live hosts. */
export const nodeWords = { arrays: 'node', hosts: 'hosts' } as const;

/** The parity word of a core group's array and its host, and that of one CPE and its host (specification 5.3). */
export const parityWord = (cgn: number, tid?: number): string =>
  tid === undefined ? `array ${cgn}` : `spe ${cgn} ${tid}`;

/** The core groups that are no parties of a word any more. */
function goneAt(c: NodeCrossContext, word: string): readonly number[] {
  if (word === nodeWords.hosts) return c.endedHosts;
  return word === nodeWords.arrays ? c.haltedArrays : [];
}

/** How many parties make a round at a word. */
const partiesAt = (c: NodeCrossContext, word: string): number =>
  word === nodeWords.hosts || word === nodeWords.arrays ? c.spec.value.cgs - goneAt(c, word).length : 2;

/** The core group of a core; hosts have the numbers below 0. */
const groupOf = (core: number): number => (core < 0 ? -1 - core : Math.floor(core / arrayCpes));

function releaseIfComplete(c: NodeCrossContext, word: string, out: Out): void {
  const waiting = c.waiting.get(word) ?? [];
  if (waiting.length === 0 || waiting.length < partiesAt(c, word)) return;
  c.waiting.delete(word);
  for (const { requester, old, answerDelay } of waiting) {
    const delay = answerDelay + c.jitter;
    out.post({ to: requester, type: 'node.event', word, old, delay });
  }
}

/**
 * The words of the node (specification 5.3, 6.2, 8.10): barriers of all arrays, of all hosts, and parity counters between a host and its CPEs.
 *
 * Details: whoever comes adds 1 and waits until the round is complete: until the word is a multiple of the number of parties. A host that has
 * ended and an array without threads of which the host is gone, or that was halted, are parties no more, whether they had come or not.
 */
export const nodeCross = setup({
  types: {} as { context: NodeCrossContext; events: NodeCrossEvent; input: NodeCrossInput },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    add: act<'node.add'>((c, { word, core, answerDelay }, out) => {
      // It was on its way when its core was stopped.
      if (goneAt(c, word).includes(groupOf(core))) return;
      const old = c.words.get(word) ?? 0;
      c.words.set(word, old + 1);
      c.waiting.set(word, [...(c.waiting.get(word) ?? []), { core, requester: out.from, old, answerDelay }]);
      releaseIfComplete(c, word, out);
    }),
    leave: act<'node.leave'>((c, { who, cgn }, out) => {
      const gone = who === 'host' ? c.endedHosts : c.haltedArrays;
      if (!gone.includes(cgn)) gone.push(cgn);
      const word = who === 'host' ? nodeWords.hosts : nodeWords.arrays;
      const left = (c.waiting.get(word) ?? []).filter(({ core }) => groupOf(core) !== cgn);
      if (left.length === 0) c.waiting.delete(word);
      else c.waiting.set(word, left);
      releaseIfComplete(c, word, out);
    }),
  },
}).createMachine({
  id: 'nodeCross',
  context: ({ input }) => ({
    spec: fixed(input),
    jitter: 0,
    words: new Map(),
    waiting: new Map(),
    endedHosts: [],
    haltedArrays: [],
  }),
  initial: 'serving',
  states: {
    serving: {
      on: {
        'node.add': { actions: ['drawJitter', 'add'] },
        'node.leave': { actions: ['drawJitter', 'leave'] },
      },
    },
  },
});
