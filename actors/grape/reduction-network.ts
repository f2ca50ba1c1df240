import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { waitingFor } from '../../kernel/outcome.ts';
import { reduceLevel, reductionNode } from './arithmetic/reduction.ts';
import type { Word } from './arithmetic/word.ts';
import type { GrapeMessage, GrapeOutbox } from './protocol.ts';
import { grapeProtocol } from './protocol.ts';
import type { ChipTiming } from './timing.ts';

/** Whom the reduction network reads from and sends to. */
export interface ReductionInput {
  readonly control: Address;
  readonly output: Address;
  readonly blocks: readonly Address[];
  readonly timing: Pick<ChipTiming, 'levelCycles' | 'outCycles'>;
}

/** The reduction network: the reduction under way. */
export interface ReductionContext {
  readonly spec: ReductionInput;
  task: GrapeMessage<'rrn.start'> | null;
  /** Its first cycle. */
  began: number;
  /** Words asked for so far. */
  asked: number;
  /** Words of the present index by block; null for those that have not come. */
  leaves: (Word | null)[];
  /** Status of the last word: 1 when it was negative, 2 when it was zero (GRAPE specification 3.7). */
  status: number;
  /** Words and cycles of all reductions (GRAPE specification 8). */
  words: number;
  busy: number;
}

const role = grapeProtocol.roles.ReductionNetwork;
const { update, when, act } = role.component<ReductionContext>();

/** The block that is read out alone; -1 when all are reduced. */
const onlyBlock = ({ op }: GrapeMessage<'rrn.start'>): number => (/^\d+$/.test(op) ? Number(op) : -1);

function sources({ spec: { blocks }, task }: ReductionContext): readonly Address[] {
  const only = onlyBlock(task!);
  return only < 0 ? blocks : blocks.slice(only, only + 1);
}

/** Levels that a word climbs: one at least (GRAPE specification 6.3). */
const levels = ({ spec: { blocks } }: ReductionContext, task: GrapeMessage<'rrn.start'>): number =>
  onlyBlock(task) < 0 ? Math.max(1, Math.ceil(Math.log2(blocks.length))) : 1;

/** Asks the blocks for the next word as it is in the next cycle. */
function ask(c: ReductionContext, out: GrapeOutbox<'ReductionNetwork'>): void {
  const { addr, long } = c.task!;
  const index = c.asked++;
  c.leaves = sources(c).map(() => null);
  for (const to of sources(c))
    out.post({ to, type: 'bm.read', addr: addr + index * (long ? 2 : 1), long, index });
}

const isWhole = ({ leaves }: ReductionContext): boolean => !leaves.includes(null);

function climb(
  c: ReductionContext,
  { task, index, level, words }: GrapeMessage<'rrn.level'>,
  out: GrapeOutbox<'ReductionNetwork'>,
): void {
  const { op, round, conv, odpoe, sregen } = task;
  const node = onlyBlock(task) < 0 ? reductionNode(op, round)! : undefined;
  const above = node ? reduceLevel(words, node) : words;
  const { output, timing } = c.spec;
  if (level < levels(c, task)) {
    const delay = timing.levelCycles;
    out.post({ to: out.self, type: 'rrn.level', task, index, level: level + 1, words: above, delay });
    return;
  }
  const [word] = above as [Word];
  if (sregen) c.status = (word >> 71n ? 1 : 0) | (word === 0n ? 2 : 0);
  c.words++;
  if (odpoe) out.post({ to: output, type: 'out.word', word, op, conv });
}

/**
 * The reduction and readout network (GRAPE specification 2.10, 6.3, RRN): a binary tree over the blocks, a word every `outCycles` cycles, a level
 * every `levelCycles`.
 */
export const reductionNetwork = setup({
  types: role.types<ReductionContext, ReductionInput>(),
  guards: {
    missing: when((c) => !isWhole(c)),
    moreWords: when((c) => c.asked < c.task!.n),
  },
  actions: {
    begin: act<'rrn.start'>((c, event, out) => {
      c.task = event;
      c.asked = 0;
      c.began = out.now + 1;
      const { addr, long, n } = event;
      const longs = Array.from({ length: n }, (_, k) => (addr + k * (long ? 2 : 1)) >> 1);
      for (const to of sources(c)) out.post({ to, type: 'bm.reserve', longs });
      ask(c, out);
    }),
    ask: act((c, _event, out) => ask(c, out)),
    take: update<'bm.word'>((c, { block, word }) => {
      c.leaves[onlyBlock(c.task!) < 0 ? block : 0] = word;
    }),
    rise: act<'bm.word'>((c, { index }, out) => {
      const { timing } = c.spec;
      const words = c.leaves as Word[];
      out.post({
        to: out.self,
        type: 'rrn.level',
        task: c.task!,
        index,
        level: 1,
        words: [...words],
        delay: timing.levelCycles,
      });
    }),
    askLater: act((c, _event, out) => {
      out.post({ to: out.self, type: 'rrn.next', delay: c.spec.timing.outCycles - 1 });
    }),
    end: act((c, _event, out) => {
      const { control, timing } = c.spec;
      const after = levels(c, c.task!) * timing.levelCycles + timing.outCycles;
      const end = out.now + after;
      c.busy += end - c.began;
      out.post({ to: control, type: 'rrn.done', after });
      out.post({ to: out.self, type: 'rrn.free', delay: after });
      if (out.observed) out.probe({ type: 'PORT', t: c.began, port: 'rrn', end, words: c.task!.n });
    }),
    climb: act<'rrn.level'>(climb),
  },
}).createMachine({
  id: 'reductionNetwork',
  context: ({ input }) => ({
    spec: input,
    task: null,
    began: 0,
    asked: 0,
    leaves: [],
    status: 0,
    words: 0,
    busy: 0,
  }),
  on: { 'rrn.level': { actions: 'climb' }, 'rrn.free': refused },
  initial: 'free',
  states: {
    free: { on: { 'rrn.start': { target: 'read', actions: 'begin' } } },
    read: {
      ...waitingFor<ReductionContext>('the words of the blocks', sources),
      on: { 'bm.word': { target: 'taken', actions: 'take' } },
    },
    taken: {
      always: [
        { guard: 'missing', target: 'read' },
        { guard: 'moreWords', target: 'pause', actions: ['rise', 'askLater'] },
        { target: 'out', actions: ['rise', 'end'] },
      ],
    },
    pause: { on: { 'rrn.next': { target: 'read', actions: 'ask' } } },
    // Who starts the next reduction says so in the last cycle of this one.
    out: { on: { 'rrn.free': 'free', 'rrn.start': { target: 'read', actions: 'begin' } } },
  },
});
