import { describe, expect, test } from 'vitest';
import type { HostOperation, HostProgram } from '../../actors/chiplet/gpu/host-operations.ts';
import { programOfSteps, StepError } from '../../actors/chiplet/gpu/host-steps.ts';
import { wired } from './testing/sample-system.ts';

describe('a program that asks for what there is not', () => {
  const nothing: HostProgram = function* () {};
  const stopped = (gpu: HostProgram): readonly string[] => {
    const { run } = wired(nothing, gpu);
    return run.toEnd().violations.map(({ why }) => why);
  };

  test('is told the kernel, block, thread and line of an access outside allocations', () => {
    const gpu: HostProgram = function* (x, y) {
      if (x + y < 2) return;
      const address = (yield { op: 'malloc', bytes: 8 }) as number;
      yield {
        op: 'launch',
        kernel: 'pass',
        grid: [1, 1, 1],
        block: [1, 1, 1],
        args: [0, 0, 1, 1, address, 3],
      };
    };

    expect(stopped(gpu)).toEqual([
      expect.stringMatching(
        /^E-MEM found an access of 4 bytes at 0x10008, expected one within an allocation: kernel pass, block 0, thread 0, pc \d+, sample\.ptx:\d+: ld\.global\.u32 %r4, \[%d\];$/,
      ),
    ]);
  });

  test.each<[string, HostProgram, RegExp]>([
    [
      'an unknown kernel',
      function* () {
        yield { op: 'launch', kernel: 'products', grid: [1, 1, 1], block: [1, 1, 1], args: [] };
      },
      /E-PROG found no kernel "products", expected one of: pass, read, product/,
    ],
    [
      'too few parameters',
      function* () {
        yield { op: 'launch', kernel: 'product', grid: [1, 1, 1], block: [1, 1, 1], args: [1] };
      },
      /E-LAUNCH product: found 1 parameters, expected 4: a \(\.u64\)/,
    ],
    [
      'a copy beyond an allocation',
      function* () {
        const address = (yield { op: 'malloc', bytes: 8 }) as number;
        yield { op: 'copyIn', address, type: 's32', values: [1, 2, 3] };
      },
      /E-MEM found copyIn of 12 bytes at \d+, expected an allocation/,
    ],
    [
      'a free of nothing',
      function* () {
        yield { op: 'free', address: 3 };
      },
      /E-MEM found no allocation at 3/,
    ],
    [
      'a value that no number holds',
      function* () {
        const address = (yield { op: 'malloc', bytes: 16 }) as number;
        yield { op: 'copyIn', address, type: 'u64', values: [7, 2n ** 53n + 1n] };
        yield { op: 'copyOut', address, type: 'u64', count: 2 };
      },
      /E-EXACT found 9007199254740993 as value 1 of type u64 at \d+, expected one that a number holds exactly; copy it out as two values of type u32/,
    ],
    [
      'a missing file',
      function* () {
        yield { op: 'loadInts', file: 'none', from: 0, to: 1 };
      },
      /E-FILE found integers 0 to 1 of "none"/,
    ],
  ])('is stopped at %s', (_what, gpu, why) => {
    expect(stopped(gpu)).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(why)));
  });

  test.each<[unknown, string]>([
    ['malloc', 'found "malloc" as an operation'],
    [
      { op: 'mallock', bytes: 8 },
      'found "mallock" as an operation, expected an object with an op of: malloc, free',
    ],
    [{ op: 'toString' }, 'found "toString" as an operation'],
    [{ op: 'malloc' }, 'found nothing as bytes of malloc, expected a whole number of at least 0'],
    [{ op: 'launch', kernel: 'pass', grid: [1, 1, 1], args: [] }, 'found nothing as block of launch'],
    [
      { op: 'launch', kernel: 'pass', grid: [1, 1], block: [1, 1, 1], args: [] },
      'found [1,1] as grid of launch',
    ],
    [
      { op: 'launch', kernel: 'pass', grid: [1, 1, 1], block: [1, 1, 1], args: [null] },
      'found [null] as args',
    ],
    [{ op: 'compute', instructions: Number.NaN }, 'found NaN as instructions of compute'],
    [{ op: 'send', to: [0], values: [1] }, 'found [0] as to of send, expected the two coordinates'],
    [{ op: 'receive', from: [0, 0], count: -1 }, 'found -1 as count of receive'],
    [{ op: 'output', file: 'a', values: '12' }, 'found "12" as values of output'],
  ])('is stopped at %j, which is no operation', (operation, why) => {
    const gpu: HostProgram = function* () {
      yield operation as HostOperation;
    };

    expect(stopped(gpu)).toEqual(Array.from({ length: 3 }, () => expect.stringContaining(`E-PROG ${why}`)));
  });

  test('is refused as data when a name is unknown', () => {
    expect(() => programOfSteps([{ op: 'free', of: 'A' }])).toThrow(StepError);
  });
});
