import type { DCacheContext } from '../../../actors/sunway/cache/d-cache.ts';
import type { TboxContext } from '../../../actors/sunway/engine/tbox.ts';
import type { TransferContext } from '../../../actors/sunway/engine/transfer.ts';
import type { TransferOpen, TransferWake } from '../../../actors/sunway/engine/within.ts';
import type { LdmContext } from '../../../actors/sunway/ldm.ts';
import type { LockContext, LockEvent } from '../../../actors/sunway/locks/lock.ts';
import type {
  CacheWalk,
  LdmAllocate,
  MemoryAccess,
  MemoryAnswer,
  NodeAdd,
  ReplyIncrement,
  TaskRequest,
  TaskResponse,
} from '../../../actors/sunway/messages.ts';
import { type NodeWordContext, nodeWords, partiesAt } from '../../../actors/sunway/node-word.ts';
import type { TaskPoolContext } from '../../../actors/sunway/services/task-pool.ts';
import type { BarrierArrive, BarrierContext } from '../../../actors/sunway/sync/barrier.ts';
import { component, type Outbox } from '../../../kernel/kit.ts';
import type { Post } from '../../../kernel/message.ts';
import type { Mutant } from '../../mutant.ts';
import { altered, planted, postedBy, recipeOf } from '../../planting.ts';
import type { SunwayParts } from '../assembly.ts';

const scratchpad = component<LdmContext, LdmAllocate | ReplyIncrement>();
const barriers = component<BarrierContext, BarrierArrive>();
const locks = component<LockContext, LockEvent>();
const engine = component<TboxContext, TransferWake>();
const transfers = component<TransferContext, TransferOpen>();
const tasks = component<TaskPoolContext, TaskRequest>();
const cache = component<DCacheContext, CacheWalk | MemoryAccess | MemoryAnswer>();
const words = component<NodeWordContext, NodeAdd>();

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
export const partFaults: readonly (readonly [string, Mutant<SunwayParts>])[] = [
  [
    'S-20',
    {
      sentence: 'a word that has come to two counts each further end twice',
      mutate: (parts) => {
        const sound = recipeOf<LdmContext, ReplyIncrement>(parts.ldm, 'increment');
        const increment = scratchpad.act<'reply.increment'>((c, message, out) => {
          const word = c.bytes.word(message.offset);
          if (word >= 2) c.bytes.setWord(message.offset, word + 1);
          sound(c, message, out as Outbox);
        });
        return { ...parts, ldm: planted(parts.ldm, { actions: { increment } }) };
      },
    },
  ],
  [
    'S-21',
    {
      sentence: 'a barrier lets its members go a thousand cycles late',
      mutate: (parts) => {
        const sound = recipeOf<BarrierContext, BarrierArrive>(parts.syncBarrier, 'release');
        const release = barriers.act<'barrier.arrive'>((c, message, out) =>
          sound(
            c,
            message,
            altered(out as Outbox, (one) => [shifted(one, lateCycles)]),
          ),
        );
        return { ...parts, syncBarrier: planted(parts.syncBarrier, { actions: { release } }) };
      },
    },
  ],
  [
    'S-23',
    {
      sentence: 'a lock that is given back goes to nobody who waits for it',
      mutate: (parts) => {
        // Whose turn it is holds it, and is not told.
        const sound = postedBy<LockContext>(parts.lock, 'grant');
        const actions = {
          grant: locks.post((c, event, envelope) =>
            event.type === 'lock.give' ? undefined : (sound(c, event, envelope) as Post),
          ),
        };
        return { ...parts, lock: planted(parts.lock, { actions }) };
      },
    },
  ],
  [
    'S-24',
    {
      sentence: 'an allocator takes blocks of more than 64 bytes for 64 bytes shorter than they are',
      mutate: (parts) => {
        const sound = recipeOf<LdmContext, LdmAllocate>(parts.ldm, 'allocate');
        const allocate = scratchpad.act<'ldm.allocate'>((c, message, out) => {
          const isBlock = message.request === 'malloc' || message.request === 'free';
          const size = isBlock ? shortened(message.size) : message.size;
          sound(c, { ...message, size }, out as Outbox);
        });
        return { ...parts, ldm: planted(parts.ldm, { actions: { allocate } }) };
      },
    },
  ],
  [
    'S-29',
    {
      sentence: 'every task but the first is handed out as the one before it',
      mutate: (parts) => {
        const sound = recipeOf<TaskPoolContext, TaskRequest>(parts.taskPool, 'serve');
        const serve = tasks.act<'task.request'>((c, message, out) =>
          sound(
            c,
            message,
            altered(out as Outbox, (one) => {
              const { value } = one as unknown as TaskResponse;
              return [
                one.type === 'task.response' && value > 0 ? ({ ...one, value: value - 1 } as Post) : one,
              ];
            }),
          ),
        );
        return { ...parts, taskPool: planted(parts.taskPool, { actions: { serve } }) };
      },
    },
  ],
  [
    'S-30',
    {
      sentence: 'a line is written back without its last word',
      mutate: (parts) => {
        const withoutEnd = (message: Post): readonly Post[] => {
          const { kind, data } = message as unknown as MemoryAccess;
          if (message.type !== 'memory.access' || kind !== 'writeBack') return [message];
          const cut = data.slice();
          cut.fill(0, lineBytes - 4);
          return [{ ...message, data: cut } as Post];
        };
        const actions = Object.fromEntries(
          ['writeBack', 'walk'].map((name) => {
            const sound = recipeOf<DCacheContext>(parts.dCache, name);
            return [name, cache.act((c, event, out) => sound(c, event, altered(out as Outbox, withoutEnd)))];
          }),
        );
        return { ...parts, dCache: planted(parts.dCache, { actions }) };
      },
    },
  ],
  [
    'S-32',
    {
      sentence:
        'the wires of barriers count arrivals where no snapshot sees it, and every seventh takes longer',
      mutate: (parts) => {
        let arrivals = 0;
        const note = recipeOf<BarrierContext, BarrierArrive>(parts.syncBarrier, 'note');
        const sound = recipeOf<BarrierContext, BarrierArrive>(parts.syncBarrier, 'release');
        const actions = {
          note: barriers.act<'barrier.arrive'>((c, message, out) => {
            arrivals++;
            note(c, message, out as Outbox);
          }),
          release: barriers.act<'barrier.arrive'>((c, message, out) => {
            const late = arrivals % 7 === 0 ? 1 : 0;
            sound(
              c,
              message,
              altered(out as Outbox, (one) => [shifted(one, late)]),
            );
          }),
        };
        return { ...parts, syncBarrier: planted(parts.syncBarrier, { actions }) };
      },
    },
  ],
  [
    'S-33',
    {
      sentence: 'an engine is through with what it brings twenty cycles early',
      mutate: (parts) => {
        const sound = postedBy<TboxContext>(parts.tbox, 'wakeLater');
        const wakeLater = engine.post<'transfer.wake'>((c, wake, envelope) => {
          const message = sound(c, wake, envelope) as Post;
          return wake.step === 'deliver' ? shifted(message, -earlyCycles) : message;
        });
        return { ...parts, tbox: planted(parts.tbox, { actions: { wakeLater } }) };
      },
    },
  ],
  [
    'S-34',
    {
      sentence: 'a broadcast to a row also reaches the row below it',
      mutate: (parts) => {
        const sound = recipeOf<TransferContext, TransferOpen>(parts.transfer, 'latch');
        const latch = transfers.act<'transfer.open'>((c, message, out) => {
          const { kind, shape, mask: rows } = message.descriptor;
          const isToRow = kind === 'rmaBcast' && shape === 'row';
          const mask = isToRow ? (rows | (rows << 1)) & 0xff : rows;
          sound(c, { ...message, descriptor: { ...message.descriptor, mask } }, out as Outbox);
        });
        return { ...parts, transfer: planted(parts.transfer, { actions: { latch } }) };
      },
    },
  ],
  [
    'S-35',
    {
      sentence: 'the barrier of all arrays of the node joins nobody',
      mutate: (parts) => {
        const isLast = words.when(
          (c) => c.spec.value.word === nodeWords.arrays || c.waiting.length + 1 >= partiesAt(c),
        );
        return { ...parts, nodeWord: planted(parts.nodeWord, { guards: { isLast } }) };
      },
    },
  ],
];
