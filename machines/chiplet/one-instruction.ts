import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import type { ValueType } from '../../actors/chiplet/ptx/value-type.ts';
import { bitsOf, bytesOf, isReal, isSigned } from '../../actors/chiplet/ptx/value-type.ts';
import { runCase } from './gpu-case.ts';

/*
 * One instruction, or a few, carried out by as many threads as there are rows of operands: for tests.
 */

const registers = (type: ValueType): string => (isReal(type) ? `.f${bitsOf(type)}` : `.b${bitsOf(type)}`);

/** A kernel that gives `line` its operands %a, %b, %c and stores %d. */
export function kernelText(line: string, sources: readonly ValueType[], result: ValueType): string {
  const loads = sources.map(
    (type, at) => `
  ld.param.u64 %p${at}, [p${at}];
  mad.wide.u32 %p${at}, %t, ${bytesOf(type)}, %p${at};
  ld.global.${type.replace(/^b/, 'u')} %${'abc'[at]}, [%p${at}];`,
  );
  return `
.version 7.0
.target sm_75
.visible .entry one(${[...sources, result].map((_, at) => `.param .u64 p${at}`).join(', ')})
{
  .reg .b32 %t;
  .reg .pred %q, %r;
  .reg .b64 %p<5>;
  ${sources.map((type, at) => `.reg ${registers(type)} %${'abc'[at]};`).join(' ')}
  .reg ${registers(result)} %d;
  mov.u32 %t, %tid.x;${loads.join('')}
  ${line}
  ld.param.u64 %p4, [p${sources.length}];
  mad.wide.u32 %p4, %t, ${bytesOf(result)}, %p4;
  st.global.${result.replace(/^b/, 'u')} [%p4], %d;
  ret;
}`;
}

/** The result of `line` for rows of operands: whole numbers, or the bits of reals. */
export function resultsOf(
  line: string,
  sources: readonly ValueType[],
  result: ValueType,
  rows: readonly (readonly bigint[])[],
): readonly bigint[] {
  const program = compilePtx([{ file: 'one.ptx', text: kernelText(line, sources, result) }]);
  const halves = (type: ValueType, values: readonly bigint[]): readonly number[] =>
    bitsOf(type) === 64
      ? values.flatMap((one) => [Number(BigInt.asUintN(32, one)), Number(BigInt.asUintN(32, one >> 32n))])
      : values.map((one) => Number(BigInt.asUintN(bitsOf(type), one)));
  const stored = (type: ValueType): ValueType => `u${Math.min(32, bitsOf(type))}` as ValueType;
  const buffers = Object.fromEntries([
    ...sources.map((type, at) => [
      `p${at}`,
      {
        type: stored(type),
        data: halves(
          type,
          rows.map((row) => row[at]!),
        ),
      },
    ]),
    [
      `p${sources.length}`,
      {
        type: stored(result),
        data: halves(
          result,
          rows.map(() => 0n),
        ),
      },
    ],
  ]);
  const outcome = runCase(program, program.kernels.get('one')!, {
    name: 'one',
    entry: 'one',
    grid: [1, 1, 1],
    block: [rows.length, 1, 1],
    params: [...sources, result].map((_, at) => ({ ptr: `p${at}` })),
    buffers,
  });
  const found = outcome.buffers[`p${sources.length}`]!;
  return rows.map((_, at) => {
    const value =
      bitsOf(result) === 64
        ? BigInt(found[2 * at]!) | (BigInt(found[2 * at + 1]!) << 32n)
        : BigInt(found[at]!);
    return isSigned(result) ? BigInt.asIntN(bitsOf(result), value) : value;
  });
}
