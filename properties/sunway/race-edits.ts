import fc from 'fast-check';
import type { CpeApi, CpeOperation } from '../../actors/sunway/cpe-api.ts';
import type { MpeProgram } from '../../actors/sunway/program.ts';
import type { RaceKind } from '../../machines/sunway/monitors/race/race-report.ts';

/*
 * Programs that are right, made of deeds: something is moved, a guard makes sure that it is over, something uses the bytes. Each deed has variables,
 * reply words and memory of its own, so that its guard and nothing else orders it: without the guard there is a race between its two operations,
 * with it there is none (Sunway specification 12, P22).
 */

type Steps = Generator<CpeOperation, void, number>;

/** What a deed works with: LDM, reply words of the issuer and of the other side, and memory. */
interface Own {
  readonly buffer: number;
  readonly other: number;
  readonly word: ReturnType<CpeApi['rply']>;
  readonly far: ReturnType<CpeApi['rply']>;
  readonly memory: number;
}

/** The part of a deed that makes it right, what comes before, and what comes after. */
interface Deed {
  readonly name: string;
  readonly before: (c: CpeApi, own: Own) => Steps;
  readonly guard: (c: CpeApi, own: Own) => Steps;
  readonly after: (c: CpeApi, own: Own) => Steps;
  /** What is told without the guard, by the calls of both operations, the earlier one first. */
  readonly kind: RaceKind;
  readonly pair: readonly [string, string];
  /** Others may not do anything between its parts: what they do could order them as well. */
  readonly whole?: boolean;
}

const bytes = 64;
export const deedCpes = 4;

/** Every deed, by what its guard is. */
export const deeds: readonly Deed[] = [
  {
    name: 'the wait of a get whose buffer is read',
    *before(c, { buffer, memory, word }) {
      yield c.dma_iget(buffer, memory, bytes, word);
    },
    *guard(c, { word }) {
      yield c.dma_wait_value(word, 1);
    },
    *after(c, { buffer }) {
      yield* c.ldBlock(buffer, 'i32', bytes / 4);
    },
    kind: 'ReadBeforeArrival',
    pair: ['dma_iget', 'ldBlock'],
  },
  {
    name: 'the wait of a put whose buffer is changed',
    *before(c, { buffer, memory, word }) {
      yield c.dma_iput(memory + bytes * c.tid, buffer, bytes, word);
    },
    *guard(c, { word }) {
      yield c.dma_wait_value(word, 1);
    },
    *after(c, { buffer }) {
      yield c.st(buffer + 8, 'i32', c.tid);
    },
    kind: 'OverwriteBeforeSent',
    pair: ['dma_iput', 'st'],
  },
  {
    name: 'the wait between two gets into one buffer',
    *before(c, { buffer, memory, word }) {
      yield c.dma_iget(buffer, memory, bytes, word);
    },
    *guard(c, { word }) {
      yield c.dma_wait_value(word, 1);
    },
    *after(c, { buffer, memory, far }) {
      yield c.dma_iget(buffer, memory + bytes, bytes, far);
      yield c.dma_wait_value(far, 1);
    },
    kind: 'TransferOverlap',
    pair: ['dma_iget', 'dma_iget'],
  },
  {
    name: 'the wait of a get before its word is set again',
    *before(c, { buffer, memory, word }) {
      yield c.dma_iget(buffer, memory, bytes, word);
    },
    *guard(c, { word }) {
      yield c.dma_wait_value(word, 1);
    },
    *after(c, { word }) {
      yield c.rplySet(word, 0);
    },
    kind: 'ReplyResetRace',
    pair: ['dma_iget', 'st'],
  },
  {
    name: 'the wait of a receiver',
    *before(c, { buffer, other, word, far }) {
      yield c.ssync_array();
      if (c.tid === 0) yield c.rma_iput(buffer, word, bytes, 1, other, far);
    },
    *guard(c, { far }) {
      if (c.tid === 1) yield c.rma_wait_value(far, 1);
    },
    *after(c, { other, word }) {
      // Late enough to come behind the issue in every schedule, so that the pair is told this way round.
      if (c.tid === 1) {
        yield c.compute(3000);
        yield* c.ld(other, 'i32');
      }
      if (c.tid === 0) yield c.rma_wait_value(word, 1);
    },
    kind: 'ReadBeforeArrival',
    pair: ['rma_iput', 'ld'],
    whole: true,
  },
  {
    name: 'the DMA barrier between a put and a get of the same memory',
    *before(c, { buffer, memory, word }) {
      if (c.tid > 0) return;
      yield c.dma_iput(memory, buffer, bytes, word);
      yield c.dma_wait_value(word, 1);
    },
    *guard(c) {
      if (c.tid === 0) yield c.dma_barrier();
    },
    *after(c, { other, memory, far }) {
      if (c.tid > 0) return;
      yield c.dma_iget(other, memory, bytes, far);
      yield c.dma_wait_value(far, 1);
    },
    kind: 'MemoryConflict',
    pair: ['dma_iput', 'dma_iget'],
    whole: true,
  },
  {
    name: 'the synchronisation between a put and the get of another CPE',
    *before(c, { buffer, memory }) {
      if (c.tid === 0) yield c.dma_put(memory, buffer, bytes);
    },
    *guard(c) {
      yield c.ssync_array();
    },
    *after(c, { other, memory }) {
      if (c.tid === 1) yield c.compute(3000);
      if (c.tid === 1) yield c.dma_get(other, memory, bytes);
    },
    kind: 'MemoryConflict',
    pair: ['dma_put', 'dma_get'],
    whole: true,
  },
  {
    name: 'the synchronisation between the reads of a buffer and a broadcast into it',
    *before(c, { buffer }) {
      yield* c.ld(buffer, 'i32');
    },
    *guard(c) {
      yield c.ssync_array();
    },
    *after(c, { buffer, other, word, far }) {
      if (c.tid === 0) {
        yield c.compute(3000);
        yield c.rma_ibcast(buffer, other, word, bytes, far);
        yield c.rma_wait_value(word, 1);
      }
      yield c.rma_wait_value(far, 1);
      yield* c.ld(buffer, 'i32');
    },
    kind: 'RemoteConflict',
    pair: ['ld', 'rma_ibcast'],
    whole: true,
  },
];

/** A part of a deed of a program: which deed, and which of its three parts. */
interface Part {
  readonly deed: number;
  readonly part: 'before' | 'guard' | 'after';
}

/** A program that is right: its deeds, by their index among all, and the order in which their parts are done. */
export interface DeedProgram {
  readonly chosen: readonly number[];
  readonly order: readonly Part[];
}

const parts = ['before', 'guard', 'after'] as const;

/** Some deeds, whose parts are mixed: each next part is one of the deeds that are not at their end. */
export const deedPrograms: fc.Arbitrary<DeedProgram> = fc
  .tuple(
    fc.array(fc.nat(deeds.length - 1), { minLength: 1, maxLength: 4 }),
    fc.array(fc.nat(11), { minLength: 12, maxLength: 12 }),
  )
  .map(([chosen, draws]) => {
    const left: (readonly Part['part'][])[][] = chosen.map((index) =>
      deeds[index]!.whole ? [parts] : parts.map((part) => [part]),
    );
    const order: Part[] = [];
    for (let turn = 0; left.some((one) => one.length > 0); turn++) {
      const open = left.flatMap((one, deed) => (one.length > 0 ? [deed] : []));
      const deed = open[draws[turn % draws.length]! % open.length]!;
      order.push(...left[deed]!.shift()!.map((part) => ({ deed, part })));
    }
    return { chosen, order };
  });

const variable = (deed: number, which: string): string => `${which} of deed ${deed}`;

/** The host program; the guard of one deed may be left out. */
export function hostOf({ chosen, order }: DeedProgram, without?: number): MpeProgram {
  return function* (h) {
    yield h.init();
    const memory = h.memAlloc(chosen.length * bytes * deedCpes, 128);
    yield h.athread_spawn(function* (c) {
      const own = chosen.map(
        (_, deed): Own => ({
          buffer: c.ldmStatic(variable(deed, 'buffer'), bytes, 64),
          other: c.ldmStatic(variable(deed, 'other'), bytes, 64),
          word: c.rply(),
          far: c.rply(),
          memory: memory + deed * bytes * deedCpes,
        }),
      );
      for (const { word, far } of own) {
        yield c.rplySet(word, 0);
        yield c.rplySet(far, 0);
      }
      yield c.ssync_array();
      for (const { deed, part } of order)
        if (part !== 'guard' || deed !== without) yield* deeds[chosen[deed]!]![part](c, own[deed]!);
    }, memory);
    yield h.athread_join();
  };
}
