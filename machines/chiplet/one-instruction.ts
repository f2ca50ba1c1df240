import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import type { ValueType } from '../../actors/chiplet/ptx/value-type.ts';
import { bitsOf, bytesOf, isReal, isSigned } from '../../actors/chiplet/ptx/value-type.ts';
import { runCase } from './gpu-case.ts';

/*
 * One instruction, or a few, carried out by as many threads as there are rows of operands: for tests.
 */

const registers = (type: ValueType): string => (isReal(type) ? `.f${bitsOf(type)}` : `.b${bitsOf(type)}`);

/** A kernel that gives each of `lines` its operands %a, %b, %c and stores %d of each: those of one line of all `rows` threads side by side. */
export function kernelText(
  lines: string | readonly string[],
  sources: readonly ValueType[],
  result: ValueType,
  rows = 1,
): string {
  const loads = sources.map(
    (type, at) => `
  ld.param.u64 %p${at}, [p${at}];
  mad.wide.u32 %p${at}, %t, ${bytesOf(type)}, %p${at};
  ld.global.${type.replace(/^b/, 'u')} %${'abc'[at]}, [%p${at}];`,
  );
  const works = [lines].flat().map(
    (line, at) => `
  ${line}
  st.global.${result.replace(/^b/, 'u')} [%p4+${at * rows * bytesOf(result)}], %d;`,
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
  ld.param.u64 %p4, [p${sources.length}];
  mad.wide.u32 %p4, %t, ${bytesOf(result)}, %p4;${works.join('')}
  ret;
}`;
}

/** The result of `line` for rows of operands: whole numbers, or the bits of reals. */
export const resultsOf = (
  line: string,
  sources: readonly ValueType[],
  result: ValueType,
  rows: readonly (readonly bigint[])[],
): readonly bigint[] => resultsOfAll([line], sources, result, rows)[0]!;

/** The results of several lines that leave their operands alone, for at most 1024 rows of them: by line, then by row. */
export function resultsOfAll(
  lines: readonly string[],
  sources: readonly ValueType[],
  result: ValueType,
  rows: readonly (readonly bigint[])[],
): readonly (readonly bigint[])[] {
  const program = compilePtx([{ file: 'one.ptx', text: kernelText(lines, sources, result, rows.length) }]);
  const stored = (type: ValueType): ValueType => `u${Math.min(32, bitsOf(type))}` as ValueType;
  const buffers = Object.fromEntries([
    ...sources.map((type, at) => [
      `p${at}`,
      { type: stored(type), data: rows.flatMap((row) => piecesOf(type, row[at]!)) },
    ]),
    [
      `p${sources.length}`,
      { type: stored(result), data: lines.flatMap(() => rows.flatMap(() => piecesOf(result, 0n))) },
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
  return lines.map((_, line) => rows.map((_, row) => wholeOf(result, found, line * rows.length + row)));
}

/** A value in words of at most 32 bits, the low one first. */
const piecesOf = (type: ValueType, value: bigint): readonly number[] =>
  bitsOf(type) === 64
    ? [Number(BigInt.asUintN(32, value)), Number(BigInt.asUintN(32, value >> 32n))]
    : [Number(BigInt.asUintN(bitsOf(type), value))];

/** The value at a place of the words found. */
function wholeOf(type: ValueType, found: readonly number[], at: number): bigint {
  const value =
    bitsOf(type) === 64 ? BigInt(found[2 * at]!) | (BigInt(found[2 * at + 1]!) << 32n) : BigInt(found[at]!);
  return isSigned(type) ? BigInt.asIntN(bitsOf(type), value) : value;
}
