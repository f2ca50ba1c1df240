import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

/** How many candidates there are, and among how many CPEs they are dealt. */
export interface AppendSize {
  readonly cpes: number;
  readonly candidates: number;
}

/** The size of the specification (13, S7). */
const full: AppendSize = { cpes: 64, candidates: 1000 };

const listOf = (counter: number): number => counter + 64;

const isWanted = (candidate: number): boolean => (37 * candidate + 11) % 10 < 3;

/** Appends the candidates of a CPE to a list in main memory; the counter says where the next one goes. */
const append = ({ cpes, candidates }: AppendSize, locks: boolean): CpeProgram =>
  function* (c, counter) {
    for (let candidate = c.tid; candidate < candidates; candidate += cpes) {
      if (!isWanted(candidate)) continue;
      if (locks) yield c.smutex_lock_array();
      const index = yield* c.ld(counter, 'i32');
      yield c.st(counter, 'i32', index + 1);
      if (locks) yield c.smutex_unlock_array();
      yield c.st(listOf(counter) + 4 * index, 'i32', candidate);
    }
  };

/** Runs the array, and looks at the list. */
const onList = ({ candidates }: AppendSize, program: CpeProgram): MpeProgram =>
  function* (h) {
    yield h.init();
    const counter = h.memAlloc(64 + 4 * candidates);
    yield h.st(counter, 'i32', 0);
    yield h.athread_spawn(program, counter);
    yield h.athread_join();
    const entries = yield* h.ld(counter, 'i32');
    const list = [...(yield* h.ldBlock(listOf(counter), 'i32', candidates))].slice(0, entries);
    const wanted = Array.from({ length: candidates }, (_, i) => i).filter(isWanted);
    const sorted = list.toSorted((a, b) => a - b);
    yield h.tell('entries', entries);
    yield h.tell(
      'sum',
      list.reduce((sum, one) => sum + one, 0),
    );
    yield h.tell('first', sorted.slice(0, 5).join(' '));
    yield h.tell('as a loop on one core', sorted.join() === wanted.join() ? 'yes' : 'no');
  };

/** CPEs append to a list under the lock of the array (specification 13, S7). */
export const concurrentAppendOf = (size: AppendSize): MpeProgram => onList(size, append(size, true));
/** The same with the candidates of the specification. */
export const concurrentAppend = concurrentAppendOf(full);
/** The same without the lock. */
export const unlockedAppend = onList(full, append(full, false));
