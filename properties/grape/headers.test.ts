import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { assemble } from '../../machines/grape/assembler/assemble.ts';
import { emitHeader } from '../../machines/grape/assembler/header.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const manual = new URL('../../../shared/golden/vsm/', import.meta.url);

describe('generated C headers are the golden ones (GRAPE specification 7.1)', () => {
  test.each(['matmul', 'sph'])('%s, type I', (name) => {
    const { program } = assemble(read(`golden/expanded/${name}.vsm`));

    expect(emitHeader(program, name)).toBe(read(`golden/headers/${name}_type1.h`));
  });

  test.skipIf(!existsSync(manual)).each([
    ['gravity.vsm', 'gravity', 'gravity_type1.h', 1],
    ['expanded/sreadtest_1_0.vsm', 'sreadtest', 'sreadtest_type2.h', 2],
  ] as const)("the manual's listing %s", (source, base, header, type) => {
    const { program } = assemble(readFileSync(new URL(source, manual), 'utf8'), { type });

    expect(emitHeader(program, base)).toBe(readFileSync(new URL(`headers/${header}`, manual), 'utf8'));
  });
});
