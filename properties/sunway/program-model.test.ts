import { describe, expect, test } from 'vitest';
import { memoryBase } from '../../actors/sunway/address/space.ts';
import { cpeCalls } from '../../actors/sunway/cpe-api.ts';
import { takeUserLock, userLockTriesMax } from '../../actors/sunway/crts/locks.ts';
import type { MpeApi } from '../../actors/sunway/mpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { returnCode } from '../../actors/sunway/return-code.ts';
import { onArray, type Trial, trial } from './trial.ts';

const quick = { cpesPerCg: 4, memoryMiB: 1, fidelity: 'functional' } as const;
const returning = { ...quick, onError: 'return' } as const;

const toldBy = (host: MpeProgram, config: object = returning): Trial['told'] => trial(host, config).told;

describe('typed views of main memory (specification 2.4)', () => {
  test('load and store elements and blocks where their type has them', () => {
    const host: MpeProgram = function* (h) {
      const at = h.memAlloc(128);
      const [doubles, words, longs] = [h.mem.f64(at), h.mem.i32(at), h.mem.i64(at + 64)];
      yield doubles.set(1, 2.5);
      yield words.write(0, Int32Array.of(7, -8));
      yield longs.set(0, -3n);
      yield h.tell('double', yield* doubles.get(1));
      yield h.tell('word', yield* words.get(1));
      yield h.tell('first', yield* words.get());
      yield h.tell('long', `${yield* longs.get()}`);
      yield h.tell('block', (yield* h.mem.u32(at).read(1, 3)).join(' '));
    };

    // 2.5 is 0x40040000 in its upper word.
    expect(toldBy(host)).toEqual({
      double: 2.5,
      word: -8,
      first: 7,
      long: '-3',
      block: `${2 ** 32 - 8} 0 ${0x4004_0000}`,
    });
  });

  test.each(['i32', 'u32', 'f32', 'f64'] as const)('of %s give back what they were given', (type) => {
    const host: MpeProgram = function* (h) {
      const view = h.mem[type](h.memAlloc(64));
      yield view.set(3, 40);
      yield h.tell('said', yield* view.get(3));
    };

    expect(toldBy(host)['said']).toBe(40);
  });
});

test('a word of the older type takes 8 bytes and counts in the lower four', () => {
  const program: CpeProgram = function* (c, out) {
    const [one, two] = [c.athread_rply(), c.athread_rply()];
    const own = c.ldmStatic('own', 8);
    yield c.dma_iget(own, memoryBase, 8, one);
    yield c.dma_wait_value(one, 1);
    const [low, high] = yield* c.ldBlock(one, 'i32', 2);
    yield c.st(out + 8 * c.tid, 'f64', 100 * (two - one) + 10 * low! + high!);
  };

  expect(trial(onArray(program), quick).told['3']).toBe('810');
});

describe('where codes are returned, a refused call that would give', () => {
  const lengths: CpeProgram = function* (c, out) {
    const lanes = new Array<number>(16).fill(6);
    const few = [
      (yield* c.ptab_lookup(lanes, lanes)).length,
      (yield* c.get_ptab_addr(4)).length,
      (yield* c.ptab_cpy16(4, 4, 4)).length,
      (yield* c.ldBlock(2, 'f64', 4)).length,
    ];
    const codes = [
      yield c.ptab_lookup(lanes, lanes),
      yield c.ptab_lookup([0], lanes),
      yield c.ldBlock(2, 'f64', 4),
    ];
    yield c.stBlock(
      out + 8 * c.tid,
      Float64Array.of(few.reduce((all, one) => all + one) + Number(codes.join(''))),
    );
  };

  test('lanes or a block gives none of them, and its code without the star', () => {
    const { E_ALIGN, E_LEN } = returnCode;

    expect(trial(onArray(lengths), returning).told['1']).toBe(`${E_ALIGN}${E_LEN}${E_ALIGN}`);
  });

  test('a block of a host gives none of it', () => {
    const host: MpeProgram = function* (h) {
      yield h.tell('length', (yield* h.ldBlock(64, 'i32', 4)).length);
      yield h.tell('code', yield h.ldBlock(64, 'i32', 4));
    };

    expect(toldBy(host)).toEqual({ length: 0, code: returnCode.E_RANGE });
  });
});

/** Programs that evade their types, which say that neither side has the calls of the other one. */
describe('a call of the wrong side (specification 11, E12)', () => {
  // @ts-expect-error: a call of the slave side is none of a host program
  const outside: MpeProgram = function* (h) {
    yield h.init();
    yield h.tell('code', yield cpeCalls.ssync_array());
  };
  const inside = (h: MpeApi, word: number): CpeProgram =>
    // @ts-expect-error: a call of the host side is none of a thread
    function* (c) {
      yield c.stFlag(word, yield h.sync_node());
    };
  const within: MpeProgram = function* (h) {
    yield h.init();
    const word = h.memAlloc(4);
    yield h.athread_create(0, inside(h, word), 0);
    yield h.athread_wait(0);
    yield h.tell('code', yield* h.ld(word, 'i32'));
  };

  test.each([
    ['of the slave side outside a thread', outside, 'ssync_array'],
    ['of the host side in a thread', within, 'sync_node'],
  ])('%s is told E_STATE, or stops the run', (_what, host, name) => {
    expect(toldBy(host)['code']).toBe(returnCode.E_STATE);

    const { verdict, violations } = trial(host, quick).run.outcome;

    expect(verdict).toBe('error');
    expect(violations[0]?.why).toMatch(new RegExp(`E_STATE from ${name}\\(`));
  });
});

describe('a lock on a word of memory (specification 6.3, extension)', () => {
  test('is tried by one fetch-and-add after the other, each of 430 cycles, until the word was 0', () => {
    const kept = 2000;
    const program: CpeProgram = function* (c, out) {
      if (c.tid > 1) return;
      if (c.tid === 0) {
        yield c.user_lock(out + 64);
        yield c.compute(kept);
        yield c.user_unlock(out + 64);
        return;
      }
      yield c.compute(100);
      const begun = yield c.stime_cycle();
      yield c.user_lock(out + 64);
      const tries = ((yield c.stime_cycle()) - begun - 1) / 430;
      yield c.st(out + 8, 'f64', tries);
    };
    const added: number[] = [];
    trial(onArray(program), { cpesPerCg: 2 }, {}, (run) => {
      run.messages$.subscribe(({ message }) => {
        const { event } = message as { event: { type: string; kind?: string; core?: number } };
        if (event.type === 'memory.access' && event.kind === 'add') added.push(event.core!);
      });
    });
    const tries = Number(trial(onArray(program), { cpesPerCg: 2 }).told['1']);

    // It begins in the 530th cycle of the other one, which stores 0 after 430 + 2000 + 430.
    expect(tries).toBe(Math.ceil((kept + 2 * 430 - 100) / 430));
    expect(added.filter((core) => core === 1)).toHaveLength(tries);
  });

  test('is given up by name after so many tries', () => {
    const script = takeUserLock(memoryBase);
    let step = script.next();
    let tries = 0;
    while (step.done !== true && step.value.op === 'add') {
      tries++;
      step = script.next(1);
    }

    expect(tries).toBe(userLockTriesMax);
    expect(step.value).toEqual({ op: 'refuse', code: returnCode.E_STATE });
  });
});
