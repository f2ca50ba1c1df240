import { describe, expect, test } from 'vitest';
import type { CpeApi, CpeOperation } from '../../actors/sunway/cpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { trial } from './trial.ts';

type Steps = Generator<CpeOperation, void, number>;

/** Cycles that the first `cpes` CPEs need for what `work` does, the slowest one. */
function cyclesOf(
  work: (c: CpeApi, memory: number) => Steps,
  { cpes = 1, bytes = 2 ** 21 }: { readonly cpes?: number; readonly bytes?: number } = {},
): number {
  const measure: CpeProgram = function* (c, memory) {
    const spent = c.ldmStatic('spent', 8, 8);
    yield c.ssync_array();
    if (c.tid >= cpes) return;
    const begun = yield* c.stime_cycle();
    yield* work(c, memory);
    const ended = yield* c.stime_cycle();
    yield c.st(spent, 'f64', ended - begun);
    yield c.dma_put(memory + bytes + 8 * c.tid, spent, 8);
  };
  const host: MpeProgram = function* (h) {
    yield h.init();
    const memory = h.memAlloc(bytes + 8 * 64, 128);
    yield h.athread_spawn(measure, memory);
    yield h.athread_join();
    const spent = yield* h.ldBlock(memory + bytes, 'f64', cpes);
    yield h.tell('most', Math.max(...spent));
  };
  return Number(trial(host).told['most']);
}

const within = (found: number, measured: number, percent: number) => {
  expect(found, `measured ${measured}`).toBeGreaterThanOrEqual(measured * (1 - percent / 100));
  expect(found, `measured ${measured}`).toBeLessThanOrEqual(measured * (1 + percent / 100));
};

/** Gets of a CPE's own part of memory, one after the other, after the buffer was allocated. */
const gets = (bytes: number) =>
  function* (c: CpeApi, memory: number): Steps {
    const target = c.ldmStatic('target', bytes, 64);
    yield c.dma_get(target, memory + c.tid * 2 ** 15, bytes);
  };

describe('one CPE on an idle node', () => {
  test.each([
    [8, 441],
    [128, 441],
    [1024, 543],
    [4096, 711],
    [65_536, 4178],
  ])('gets %i bytes in %i cycles, within 5 percent', (bytes, measured) => {
    within(cyclesOf(gets(bytes)), measured, 5);
  });

  test.each([
    [8, 234],
    [128, 240],
    [1024, 287],
    [4096, 456],
    [65_536, 3729],
  ])('puts %i bytes in %i cycles, within 5 percent', (bytes, measured) => {
    const put = function* (c: CpeApi, memory: number): Steps {
      const reply = c.rply();
      const source = c.ldmStatic('source', bytes, 64);
      yield c.dma_iput(memory, source, bytes, reply);
      yield c.dma_wait_value(reply, 1);
    };
    within(cyclesOf(put), measured, 5);
  });

  test('gets behind a barrier operation as late as if it were issued then (specification 7.2)', () => {
    const two = (separated: boolean) =>
      function* (c: CpeApi, memory: number): Steps {
        const [target, reply] = [c.ldmStatic('target', 256, 64), c.rply()];
        yield c.dma_iget(target, memory, 128, reply);
        if (separated) yield c.dma_barrier();
        yield c.dma_iget(target + 128, memory + 128, 128, reply);
        yield c.dma_wait_value(reply, 2);
      };

    expect(cyclesOf(two(true)) - cyclesOf(gets(128))).toBeGreaterThanOrEqual(411);
    expect(cyclesOf(two(false)) - cyclesOf(gets(128))).toBeLessThan(200);
  });

  test.each([
    [1, 114],
    [2, 172],
    [4, 288],
    [8, 520],
    [16, 984],
  ])('puts 8 bytes %i times into the next LDM in %i cycles, within 5 percent', (times, modelled) => {
    const stream = function* (c: CpeApi): Steps {
      const target = c.ldmStatic('target', 8, 8);
      const reply = c.rply();
      const arrived = c.rply();
      for (let k = 0; k < times; k++) yield c.rma_iput(target, reply, 8, 1, target, arrived);
      yield c.rma_wait_value(reply, times);
    };
    within(cyclesOf(stream), modelled, 5);
  });
});

/** Rounds that a load of the whole array is measured over: so many that the write buffer, which takes the first puts at once, hardly matters. */
const rounds = 40;

const load = (bytes: number, offset: number, kind: 'get' | 'put') =>
  function* (c: CpeApi, memory: number): Steps {
    const own = c.ldmStatic('own', bytes, 64);
    const there = memory + c.tid * 2 ** 15 + offset;
    for (let k = 0; k < rounds; k++) {
      if (kind === 'get') yield c.dma_get(own, there, bytes);
      else yield c.dma_put(there, own, bytes);
    }
  };

describe('64 CPEs together', () => {
  test.each([
    ['get', 64, 0, 1147, 12],
    ['get', 256, 0, 1666, 12],
    ['get', 1024, 0, 4017, 12],
    ['get', 4096, 0, 12_313, 12],
    ['get', 128, 4, 1645, 12],
    ['put', 128, 0, 486, 20],
    ['put', 128, 4, 5972, 20],
    ['put', 64, 0, 1917, 15],
    ['put', 64, 4, 3579, 15],
  ] as const)(
    '%s %i bytes at offset %i in %i cycles each, within %i percent',
    (kind, bytes, offset, measured, percent) => {
      within(cyclesOf(load(bytes, offset, kind), { cpes: 64 }) / rounds, measured, percent);
    },
  );
});

/** One way of a message of 8 bytes between two CPEs that answer each other. */
function pingPong(partner: number): number {
  const tell = function* (c: CpeApi): Steps {
    const ball = c.ldmStatic('ball', 8, 8);
    const arrived = c.rply();
    if (c.tid !== 0 && c.tid !== partner) return;
    const other = c.tid === 0 ? partner : 0;
    for (let k = 1; k <= rounds; k++) {
      if (c.tid === 0) yield c.rma_iput(ball, null, 8, other, ball, arrived);
      yield c.rma_wait_value(arrived, k);
      if (c.tid !== 0) yield c.rma_iput(ball, null, 8, other, ball, arrived);
    }
  };
  return cyclesOf(tell, { cpes: 64 }) / (2 * rounds);
}

describe('a message between two LDMs', () => {
  test.each([
    [1, 98],
    [2, 102],
    [16, 102],
    [63, 122],
  ])('from CPE 0 to CPE %i takes %i cycles, within 3 percent', (partner, modelled) => {
    within(pingPong(partner), modelled, 3);
  });
});
