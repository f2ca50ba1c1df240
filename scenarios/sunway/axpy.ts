import type { CpeApi, CpeOperation } from '../../actors/sunway/cpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

const elementBytes = 8;
/**
 * A loop over elements that overlaps nothing: two loads, two operations, a store and the step of the loop, of 4 cycles each. Below half of that the
 * memory controller is what 64 CPEs wait for, and puts of all of them at once cost it more (specification 9.1, `mc.putFullBlock`).
 */
const cyclesPerElement = 24;

type Steps<T = void> = Generator<CpeOperation, T, number>;

/** How long the vectors are, in elements, and who works on them in blocks of how many. */
export interface AxpySize {
  readonly cpes: number;
  readonly elements: number;
  readonly blockElements: number;
}

/** The size of the specification (13, S3). */
const full: AxpySize = { cpes: 64, elements: 100_000, blockElements: 512 };

/** The part of the vectors that a CPE has, cut into blocks. */
function blocksOf(
  { cpes, elements, blockElements }: AxpySize,
  tid: number,
): readonly { readonly at: number; readonly bytes: number; readonly count: number }[] {
  const begin = Math.floor((tid * elements) / cpes);
  const end = Math.floor(((tid + 1) * elements) / cpes);
  return Array.from({ length: Math.ceil((end - begin) / blockElements) }, (_, block) => {
    const from = begin + block * blockElements;
    const count = Math.min(blockElements, end - from);
    return { at: from * elementBytes, bytes: count * elementBytes, count };
  });
}

/** Where x begins in main memory, y behind it, then the totals of reply words, two a CPE. */
const yOf = ({ elements }: AxpySize, x: number): number => x + elements * elementBytes;
const totalsOf = (size: AxpySize, x: number): number => yOf(size, x) + size.elements * elementBytes;

/** y = 2 x + 3 y on a block in LDM. */
function* combine(c: CpeApi, x: number, y: number, count: number): Steps {
  const xs = yield* c.ldBlock(x, 'f64', count);
  const ys = yield* c.ldBlock(y, 'f64', count);
  yield c.compute(cyclesPerElement * count);
  yield c.stBlock(
    y,
    ys.map((one, k) => 2 * xs[k]! + 3 * one),
  );
}

/** What a program leaves out; all true for one that is right. */
interface Waits {
  /** Waits for the gets of a block before it computes. */
  readonly arrival: boolean;
  /** Waits for the put of a buffer before it is filled again. */
  readonly sent: boolean;
}

/** Two buffers: the next block is on its way while one is computed. Each buffer has a reply word, since a wait for one of two transfers covers neither. */
const overlapped = (size: AxpySize, { arrival, sent }: Waits): CpeProgram =>
  function* (c, memory) {
    const blockBytes = size.blockElements * elementBytes;
    const buffers = [0, 1].map((side) => ({
      x: c.ldmStatic(`x ${side}`, blockBytes, 64),
      y: c.ldmStatic(`y ${side}`, blockBytes, 64),
      got: c.rply(),
      put: c.rply(),
    }));
    const totals = c.ldmStatic('totals', 8);
    for (const { got, put } of buffers) {
      yield c.rplySet(got, 0);
      yield c.rplySet(put, 0);
    }
    const blocks = blocksOf(size, c.tid);
    const fetch = function* (block: number): Steps {
      const { at, bytes } = blocks[block]!;
      const { x, y, got, put } = buffers[block % 2]!;
      const putsBefore = Math.floor(block / 2);
      if (sent && putsBefore > 0) yield c.dma_wait_value(put, putsBefore);
      yield c.dma_iget(x, memory + at, bytes, got);
      yield c.dma_iget(y, yOf(size, memory) + at, bytes, got);
    };
    yield* fetch(0);
    for (const [block, { at, bytes, count }] of blocks.entries()) {
      const { x, y, got, put } = buffers[block % 2]!;
      if (block + 1 < blocks.length) yield* fetch(block + 1);
      if (arrival) yield c.dma_wait_value(got, 2 * (Math.floor(block / 2) + 1));
      yield* combine(c, x, y, count);
      yield c.dma_iput(yOf(size, memory) + at, y, bytes, put);
    }
    const sum = function* (of: 'got' | 'put'): Steps<number> {
      let total = 0;
      for (const buffer of buffers) total += yield c.rplyRead(buffer[of]);
      return total;
    };
    for (const [side, { got, put }] of buffers.entries()) {
      const own = blocks.filter((_, block) => block % 2 === side).length;
      yield c.dma_wait_value(got, 2 * own);
      yield c.dma_wait_value(put, own);
    }
    yield c.stBlock(totals, Int32Array.of(yield* sum('got'), yield* sum('put')));
    yield c.dma_put(totalsOf(size, memory) + 8 * c.tid, totals, 8);
  };

/** One buffer and blocking transfers. */
const blocking = (size: AxpySize): CpeProgram =>
  function* (c, memory) {
    const blockBytes = size.blockElements * elementBytes;
    const x = c.ldmStatic('x', blockBytes, 64);
    const y = c.ldmStatic('y', blockBytes, 64);
    for (const { at, bytes, count } of blocksOf(size, c.tid)) {
      yield c.dma_get(x, memory + at, bytes);
      yield c.dma_get(y, yOf(size, memory) + at, bytes);
      yield* combine(c, x, y, count);
      yield c.dma_put(yOf(size, memory) + at, y, bytes);
    }
  };

/** Fills x[i] = i and y[i] = 1, runs a program on the array, and compares y with 2 i + 3. */
const onVectors = (size: AxpySize, program: CpeProgram): MpeProgram =>
  function* (h) {
    const { cpes, elements } = size;
    yield h.init();
    const memory = h.memAlloc(2 * elements * elementBytes + 8 * cpes, 128);
    yield h.stBlock(
      memory,
      Float64Array.from({ length: elements }, (_, i) => i),
    );
    yield h.stBlock(yOf(size, memory), new Float64Array(elements).fill(1));
    yield h.athread_spawn(program, memory);
    yield h.athread_join();
    const y = yield* h.ldBlock(yOf(size, memory), 'f64', elements);
    const totals = yield* h.ldBlock(totalsOf(size, memory), 'i32', 2 * cpes);
    const pairs = Array.from({ length: cpes }, (_, tid) => `${totals[2 * tid]} ${totals[2 * tid + 1]}`);
    yield h.tell('right', y.filter((one, i) => one === 2 * i + 3).length);
    yield h.tell(
      'sum',
      y.reduce((sum, one) => sum + one, 0),
    );
    yield h.tell('gets and puts counted by each CPE', [...new Set(pairs)].join(', '));
  };

/** The sum of vectors with buffers that overlap (specification 13, S3). */
export const axpyOverlappedOf = (size: AxpySize): MpeProgram =>
  onVectors(size, overlapped(size, { arrival: true, sent: true }));
/** The same with the vectors of the specification. */
export const axpyOverlapped = axpyOverlappedOf(full);
/** The same with blocking transfers. */
export const axpyBlockingOf = (size: AxpySize): MpeProgram => onVectors(size, blocking(size));
/** The same with the vectors of the specification. */
export const axpyBlocking = axpyBlockingOf(full);
/** Computes before the block has come. */
export const axpyUnwaited = onVectors(full, overlapped(full, { arrival: false, sent: true }));
/** Fills a buffer again that may not have been sent. */
export const axpyRefilled = onVectors(full, overlapped(full, { arrival: true, sent: false }));
