import type { TboxContext } from '../../../actors/sunway/engine/tbox.ts';
import type { TransferOpen, TransferWake } from '../../../actors/sunway/engine/within.ts';
import type { LdmContext } from '../../../actors/sunway/ldm.ts';
import type { LockContext, LockEvent } from '../../../actors/sunway/locks/lock.ts';
import type {
  LdmAllocate,
  MemoryAccess,
  NodeAdd,
  ReplyIncrement,
  SignalArrive,
  TaskResponse,
} from '../../../actors/sunway/messages.ts';
import { type NodeWordContext, nodeWords, partiesAt } from '../../../actors/sunway/node-word.ts';
import type { BarrierContext } from '../../../actors/sunway/sync/barrier.ts';
import { component } from '../../../kernel/kit.ts';
import type { Post } from '../../../kernel/message.ts';
import { mutantsOf } from '../../mutant.ts';
import { as, plantingIn, postedBy, together } from '../../planting.ts';
import type { SunwayParts } from '../assembly.ts';

const locks = component<LockContext, LockEvent>();
const engine = component<TboxContext, TransferWake>();
const words = component<NodeWordContext, NodeAdd>();
const { hearing, instead, replace, saying } = plantingIn<SunwayParts>();

type Timed = Post & { readonly at: number };

/** A message that comes so many cycles later, or earlier where there is room. */
function shifted(message: Post, cycles: number): Post {
  const delay = Math.max(1, (message.delay ?? 0) + cycles);
  return { ...message, delay, at: (message as Timed).at + delay - (message.delay ?? 0) } as Post;
}

const lateCycles = 1000;
const earlyCycles = 20;
const granuleBytes = 64;
const lineBytes = 64;

/** A block without its last granule. */
const shortened = (bytes: number): number => (bytes > granuleBytes ? bytes - granuleBytes : bytes);

/** Faults of the parts around the cores: words, barriers, locks, heaps, caches, engines, task pools (Sunway specification 8). */
export const partFaults = mutantsOf<SunwayParts>({
  'S-20': {
    sentence: 'a word that has come to two counts each further end twice',
    mutate: instead<LdmContext, ReplyIncrement>('ldm', 'increment', (increment, c, message, out) => {
      const word = c.bytes.word(message.offset);
      if (word >= 2) c.bytes.setWord(message.offset, word + 1);
      increment(c, message, out);
    }),
  },
  'S-21': {
    sentence: 'a barrier lets its members go a thousand cycles late',
    mutate: saying('syncBarrier', 'release', (message) => shifted(message, lateCycles)),
  },
  'S-23': {
    sentence: 'a lock that is given back goes to nobody who waits for it',
    // Whose turn it is holds it, and is not told.
    mutate: replace('lock', (lock) => {
      const sound = postedBy<LockContext>(lock, 'grant');
      return {
        actions: {
          grant: locks.post((c, event, envelope) =>
            event.type === 'lock.give' ? undefined : (sound(c, event, envelope) as Post),
          ),
        },
      };
    }),
  },
  'S-24': {
    sentence: 'an allocator takes blocks of more than 64 bytes for 64 bytes shorter than they are',
    mutate: hearing<LdmAllocate>('ldm', 'allocate', (message) => {
      const isBlock = message.request === 'malloc' || message.request === 'free';
      return { ...message, size: isBlock ? shortened(message.size) : message.size };
    }),
  },
  'S-29': {
    sentence: 'every task but the first is handed out as the one before it',
    mutate: saying('taskPool', 'serve', (message) => {
      const { value } = as<TaskResponse>(message);
      return message.type === 'task.response' && value > 0 ? { ...message, value: value - 1 } : message;
    }),
  },
  'S-30': {
    sentence: 'a line is written back without its last word',
    mutate: saying('dCache', ['writeBack', 'walk'], (message) => {
      const { kind, data } = as<MemoryAccess>(message);
      if (message.type !== 'memory.access' || kind !== 'writeBack') return message;
      const cut = data.slice();
      cut.fill(0, lineBytes - 4);
      return { ...message, data: cut };
    }),
  },
  'S-32': {
    sentence:
      'the wires of barriers count arrivals where no snapshot sees it, and every seventh takes longer',
    mutate: (parts) => {
      let arrivals = 0;
      return together(
        instead<BarrierContext>('syncBarrier', 'note', (note, c, event, out) => {
          arrivals++;
          note(c, event, out);
        }),
        saying('syncBarrier', 'release', (message) => shifted(message, arrivals % 7 === 0 ? 1 : 0)),
      )(parts);
    },
  },
  'S-33': {
    sentence: 'an engine is through with what it brings twenty cycles early',
    mutate: replace('tbox', (tbox) => {
      const sound = postedBy<TboxContext>(tbox, 'wakeLater');
      return {
        actions: {
          wakeLater: engine.post<'transfer.wake'>((c, wake, envelope) => {
            const message = sound(c, wake, envelope) as Post;
            return wake.step === 'deliver' ? shifted(message, -earlyCycles) : message;
          }),
        },
      };
    }),
  },
  'S-34': {
    sentence: 'a broadcast to a row also reaches the row below it',
    mutate: hearing<TransferOpen>('transfer', 'latch', (open) => {
      const { kind, shape, mask: rows } = open.descriptor;
      const isToRow = kind === 'rmaBcast' && shape === 'row';
      const mask = isToRow ? (rows | (rows << 1)) & 0xff : rows;
      return { ...open, descriptor: { ...open.descriptor, mask } };
    }),
  },
  'S-35': {
    sentence: 'the barrier of all arrays of the node joins nobody',
    mutate: replace('nodeWord', {
      guards: {
        isLast: words.when(
          (c) => c.spec.value.word === nodeWords.arrays || c.waiting.length + 1 >= partiesAt(c),
        ),
      },
    }),
  },
  'S-36': {
    sentence: 'a signal of a CPE with an odd tid gets lost on its way to the host',
    mutate: saying('signalPath', 'handOn', (message) =>
      message.type === 'signal.arrive' && as<SignalArrive>(message).tid % 2 === 1 ? [] : message,
    ),
  },
});
