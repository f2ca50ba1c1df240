import { describe, expect, test } from 'vitest';
import { crossBase, ldmBytes, remoteAddress, sharedBase } from '../../actors/sunway/address/space.ts';
import type { CpeApi, CpeOperation } from '../../actors/sunway/cpe-api.ts';
import type { MpeProgram } from '../../actors/sunway/program.ts';
import { returnCode } from '../../actors/sunway/return-code.ts';
import { sunwayConfig } from '../../machines/sunway/config.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { onArray, trial } from './trial.ts';

const quick = { memoryMiB: 1, fidelity: 'functional', onError: 'return' } as const;

/** What CPEs say, by tid; each says one number. */
function saidBy(
  play: (c: CpeApi) => Generator<CpeOperation, number, number>,
  config: { readonly cpesPerCg: number; readonly [option: string]: unknown },
): readonly number[] {
  const program = onArray(function* (c, out) {
    const said = yield* play(c);
    yield c.st(out + 8 * c.tid, 'f64', said);
  });
  const { told } = trial(program, { ...quick, ...config });
  return Array.from({ length: config.cpesPerCg }, (_, tid) => Number(told[`${tid}`]));
}

const free = function* (c: CpeApi): Generator<CpeOperation, number, number> {
  return (yield c.scache_get_size()) + 1e-7 * (yield c.pldm_get_free_size());
};
/** Bytes of cache and of the heap in one number. */
const both = (cache: number, heap: number) => cache + 1e-7 * heap;

describe('an LDM of 262144 bytes, 4096 of them of the runtime', () => {
  test.each([
    [{}, 0, 258_048],
    [{ cacheKiB: 32 }, 32_768, 225_280],
    [{ cacheKiB: 128 }, 131_072, 126_976],
    [{ ldm: { preset: 'cache32' } }, 32_768, 225_280],
    [{ stackInLdm: true }, 0, 258_048 - 16_384],
    [{ sldm: { mode: 0, sizeKiB: 8 } }, 0, 258_048 - 8192],
    [{ sldm: { mode: 0, sizeKiB: 8 }, stackInLdm: true, cacheKiB: 32 }, 32_768, 225_280 - 8192 - 16_384],
  ])('with %j has %i bytes of cache and %i to allocate', (config, cache, heap) => {
    expect(saidBy(free, { cpesPerCg: 1, ...config })[0]).toBeCloseTo(both(cache, heap), 9);
  });

  test('is refused with a preset and another cache, by both names', () => {
    const config = sunwayConfig.parse({ ldm: { preset: 'cache32' }, cacheKiB: 128 });
    const findings = sunwayMachine.check?.(config, { module: 'none.ts#none' }) ?? [];

    expect(findings.map(({ path, found }) => [path.join('.'), found])).toEqual([
      ['config.cacheKiB', '128 KiB of data cache beside the preset cache32'],
    ]);
  });

  test.each([0, 32] as const)('is taken with a preset and %i KiB of cache beside it', (cacheKiB) => {
    const config = sunwayConfig.parse({ ldm: { preset: 'cache32' }, cacheKiB });

    expect(sunwayMachine.check?.(config, { module: 'none.ts#none' })).toEqual([]);
  });
});

describe('the cross segment', () => {
  const ends = (at: number) =>
    function* (c: CpeApi): Generator<CpeOperation, number, number> {
      return yield c.st(crossBase + at, 'i32', 1);
    };

  test.each([
    [1, 2 ** 20 - 4, returnCode.SUCCESS],
    [1, 2 ** 20, returnCode.E_RANGE],
    [2, 2 ** 20, returnCode.SUCCESS],
    [0, 0, returnCode.E_RANGE],
  ])('of %i MiB is told %s at byte %i', (crossMiB, at, code) => {
    expect(saidBy(ends(at), { cpesPerCg: 1, crossMiB })).toEqual([code]);
  });

  test('gives hosts what fits, and says what does not', () => {
    const host = (bytes: number): MpeProgram =>
      function* (h) {
        yield h.init();
        h.crossAlloc(bytes);
      };

    expect(trial(host(2 ** 20), { ...quick, cpesPerCg: 1 }).run.outcome.verdict).toBe('ok');
    expect(trial(host(2 ** 20 + 1), { ...quick, cpesPerCg: 1 }).run.outcome.failure?.message).toMatch(
      /found no room for 1048577 bytes in the cross segment, which has 1048576 bytes/,
    );
  });
});

describe('shared LDM', () => {
  test.each([
    [0, 4],
    [1, 8],
    [2, 16],
    [3, 32],
    [4, 64],
    [5, 64],
  ])('of mode %i has %i members, and ends with the share of the last one', (mode, members) => {
    const last = sharedBase + 1024 * members - 4;
    const look = function* (c: CpeApi): Generator<CpeOperation, number, number> {
      if (c.tid !== 0) return 0;
      const codes = [yield c.st(last, 'i32', 9), yield c.st(last + 4, 'i32', 9)];
      return 100 * codes[0]! + codes[1]!;
    };

    expect(saidBy(look, { cpesPerCg: 64, sldm: { mode, sizeKiB: 1 } })[0]).toBe(returnCode.E_RANGE);
  });

  test('that is interleaved goes round the members block by block', () => {
    const base = ldmBytes - 1024;
    const look = function* (c: CpeApi): Generator<CpeOperation, number, number> {
      // Block 5 of 64 bytes among CPEs 0, 1, 8 and 9: the second block of CPE 1.
      if (c.tid === 0) yield c.st(sharedBase + 5 * 64, 'i32', 77);
      yield c.ssync_sldm();
      return yield c.ld(remoteAddress(1, base + 64), 'i32');
    };
    const sldm = { mode: 0, sizeKiB: 1, interleaveBytes: 64 };

    expect(saidBy(look, { cpesPerCg: 10, sldm })[9]).toBe(77);
    expect(saidBy(look, { cpesPerCg: 10, sldm: { ...sldm, interleaveBytes: 0 } })[9]).toBe(0);
  });
});

describe('barriers of the halves of columns (specification 15, C1)', () => {
  const late = 5000;
  /** CPE 3 of row 0 or CPE 35 of row 4 comes late: who leaves late, and who is refused. */
  const meet = (half: 'left' | 'right', lateTid: number) =>
    function* (c: CpeApi): Generator<CpeOperation, number, number> {
      if (c.tid === lateTid) yield c.compute(late);
      const begun = yield c.stime_cycle();
      const code = yield half === 'left' ? c.ssync_col_left() : c.ssync_col_right();
      if (code !== 0) return -code;
      return (yield c.stime_cycle()) - begun > late / 2 || c.tid === lateTid ? 1 : 0;
    };
  const members = (said: readonly number[]) => said.flatMap((one, tid) => (one === 1 ? [tid] : []));
  const refused = (said: readonly number[]) => said.flatMap((one, tid) => (one < 0 ? [tid] : []));

  test('are whole columns of the left and right half by the manual', () => {
    const said = saidBy(meet('left', 3), { cpesPerCg: 64 });

    expect(members(said)).toEqual([3, 11, 19, 27, 35, 43, 51, 59]);
    expect(refused(said).every((tid) => tid % 8 > 3)).toBe(true);
    expect(refused(said)).toHaveLength(32);
  });

  test('are the upper and lower half of any column by the header', () => {
    const header = { cpesPerCg: 64, sync: { colLeftRight: 'header' } };
    const [upper, lower] = [saidBy(meet('left', 7), header), saidBy(meet('right', 39), header)];

    expect(members(upper)).toEqual([7, 15, 23, 31]);
    expect(members(lower)).toEqual([39, 47, 55, 63]);
    expect(refused(upper)).toEqual(Array.from({ length: 32 }, (_, k) => 32 + k));
    expect(refused(lower)).toEqual(Array.from({ length: 32 }, (_, k) => k));
  });
});
