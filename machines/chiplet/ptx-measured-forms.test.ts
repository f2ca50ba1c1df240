import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compileKernels } from '../../actors/chiplet/ptx/program.ts';
import { runMeasured } from './measured-case.ts';
import { formKernel, type MeasuredForm } from './testing/form-kernels.ts';

/*
 * What an H200 answered for each form of the arithmetic instructions (`properties/chiplet/golden/gpu-forms`): rows of operands, and for each form a hash of its results.
 */

interface Answers {
  readonly gpu: string;
  /** Operands by kind and place: numbers in hexadecimal digits, one a row. */
  readonly operands: Readonly<Record<string, readonly string[]>>;
  /** Line, kinds of its operands with their bits, bits of its results, rows, hash. */
  readonly forms: readonly (readonly [
    line: string,
    sources: string,
    results: string,
    rows: number,
    hash: number,
  ])[];
}

const file = new URL('../../properties/chiplet/golden/gpu-forms/answers.json.gz', import.meta.url);
const answers = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Answers;

/** FNV-1a. */
const hashOf = (bytes: Uint8Array): number =>
  bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5 | 0) >>> 0;

/** Numbers as bytes, the lowest first. */
function bytesOf(values: readonly string[], bits: number): Uint8Array {
  const bytes = new Uint8Array((values.length * bits) / 8);
  for (const [row, text] of values.entries())
    for (let value = BigInt(`0x${text}`), at = (row * bits) / 8; value > 0n; value >>= 8n, at++)
      bytes[at] = Number(value & 255n);
  return bytes;
}

/** Operands of a form: their kinds with the bits of each. */
const kindsOf = (sources: string): readonly (readonly [kind: string, bits: number])[] =>
  sources.split(' ').map((one) => {
    const [kind = '', bits] = one.split(':');
    return [kind, Number(bits)];
  });

const approximate = /\.(approx|full)\b/;

/** Lines of forms whose results are not those of the GPU. */
function differing(forms: Answers['forms'], approximations: 'exact' | 'h100'): readonly string[] {
  const text = forms.map(([line, sources, results], at) => {
    const form: MeasuredForm = {
      line,
      sources: kindsOf(sources).map(([, bits]) => bits),
      results: results.split(' ').map(Number),
    };
    return formKernel(`form${at}`, form);
  });
  const head = '.version 9.0\n.target sm_90\n.address_size 64\n';
  const program = compileKernels([{ file: 'forms.ptx', text: head + text.join('\n') }], {
    messageOpcode: 'off',
    approximations,
  });
  return forms.flatMap(([line, sources, results, rows, hash], at) => {
    if (program.refused.has(`form${at}`)) return [`${line} is refused`];
    const given = kindsOf(sources).map(([kind, bits], place) => ({
      type: 'u8' as const,
      bytes: (rows * bits) / 8,
      base64: Buffer.from(bytesOf(answers.operands[`${kind}.${place}`]!.slice(0, rows), bits)).toString(
        'base64',
      ),
    }));
    const made = results
      .split(' ')
      .map((bits) => ({ type: 'u8' as const, bytes: (rows * Number(bits)) / 8, fill: 0xcd }));
    const buffers = Object.fromEntries([...given, ...made].map((one, place) => [`p${place}`, one]));
    const { buffers: left } = runMeasured(
      program,
      {
        name: line,
        entry: `form${at}`,
        grid: [1, 1, 1],
        block: [rows, 1, 1],
        dynamicSharedBytes: 0,
        params: Object.keys(buffers).map((ptr) => ({ ptr })),
        buffers,
        compare: [],
        expected: {},
      },
      10_000,
    );
    const found = made.map((_, place) => left.get(`p${given.length + place}`)!);
    return hashOf(Buffer.concat(found)) === hash ? [] : [line];
  });
}

const groups = [...new Set(answers.forms.map(([line]) => familyOf(line)))];

/** The instruction that a line is about. */
function familyOf(line: string): string {
  return line.replace(/^setp\.ne\.u32 %q, %e, 0; /, '').split('.')[0]!;
}

test('as many forms as the GPU was asked for', () => {
  expect(answers.forms.length).toBeGreaterThan(3000);
});

test.each(groups)('%s as the GPU carries it out', (family) => {
  const forms = answers.forms.filter(([line]) => familyOf(line) === family);
  const exact = forms.filter(([line]) => !approximate.test(line));

  expect(differing(exact, 'exact')).toEqual([]);
});

test('approximate forms of 32 bits as the GPU carries them out', () => {
  const forms = answers.forms.filter(([line]) => approximate.test(line));

  expect(forms.length).toBeGreaterThan(10);
  expect(differing(forms, 'h100')).toEqual([]);
});
