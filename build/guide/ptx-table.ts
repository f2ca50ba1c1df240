import { readdirSync, readFileSync } from 'node:fs';
import { instructionNames } from '../../actors/chiplet/ptx/instruction-set.ts';
import { compileKernels } from '../../actors/chiplet/ptx/program.ts';
import { ptxForms } from './ptx-forms.ts';

/*
 * The table of instructions in the guide: written from what the compiler takes, and from what the tests name.
 */

const root = new URL('../../', import.meta.url);

/** A kernel with one line of this form. */
const textOf = (form: string): string => `.version 9.0
.target sm_90
.address_size 64
.global .u32 gvar[4];
.const .f32 cvar;
.global .texref tx;
.global .surfref sf;
.func fun() { ret; }
.func (.reg .b32 r) fun2(.reg .b32 a) { mov.b32 r, a; ret; }
.visible .entry k(.param .u64 p)
{
  .reg .pred %p<8>; .reg .b8 %b<8>; .reg .b16 %h<8>; .reg .b32 %r<16>; .reg .b64 %d<8>; .reg .f32 %f<9>; .reg .f64 %fd<6>;
  ${form.includes('%q') ? '.reg .b128 %q<4>;' : ''}
  .shared .align 16 .b8 sh[512]; .local .align 4 .b8 loc[16];
  tab: .branchtargets lab;
  proto: .callprototype _ ();
  ${form};
lab: ret;
}`;

/** Whether a form is compiled. */
function isTaken(form: string): boolean {
  try {
    const { refused } = compileKernels([{ file: 'form.ptx', text: textOf(form) }], { messageOpcode: 'off' });
    return refused.size === 0;
  } catch {
    return false;
  }
}

/** The name that the ISA has an instruction under: one entry for cp.async, one for cp.async.bulk, and so on. */
function nameOf(form: string): string {
  const [words = ''] = form.split(' ');
  const parts = words.split('.');
  const families = [
    'cp.async.bulk.prefetch.tensor',
    'cp.reduce.async.bulk.tensor',
    'cp.async.bulk.tensor',
    'cp.reduce.async.bulk',
    'cp.async.bulk.prefetch',
    'cp.async.bulk',
    'cp.async.mbarrier.arrive',
    'cp.async',
    'st.async',
    'st.bulk',
    'red.async',
    'barrier.cluster',
    'bar.warp.sync',
    'cvt.pack',
    'mma.sp',
  ];
  const family = families.find((one) => words === one || words.startsWith(`${one}.`));
  if (family !== undefined) return family;
  if (
    [
      'mbarrier',
      'wmma',
      'wgmma',
      'tcgen05',
      'multimem',
      'tensormap',
      'clusterlaunchcontrol',
      'griddepcontrol',
    ].includes(parts[0]!)
  )
    return `${parts[0]}.${parts[1]}`;
  return parts[0]!;
}

/** Files with tests of the PTX of chiplets, with their texts. */
function testTexts(): ReadonlyMap<string, string> {
  const folders = ['actors/chiplet/ptx/', 'machines/chiplet/'];
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => /^(ptx-.*|subset|arithmetic|classes|parse|meeting-points)\.test\.ts$/.test(name))
      .map((name) => `${folder}${name}`),
  );
  return new Map(files.sort().map((file) => [file, readFileSync(new URL(file, root), 'utf8')]));
}

/** A row of the table. */
export interface InstructionRow {
  readonly name: string;
  readonly taken: readonly string[];
  readonly refused: readonly string[];
  /** The test file that names it most often, for one that is taken. */
  readonly test: string | undefined;
}

/** How often a text has an instruction. */
function countOf(name: string, text: string): number {
  const words = name.replaceAll('.', String.raw`\.(?:[\w:]+\.)*?`);
  // A family is counted without those that have a row of their own.
  const others = name === 'cp.async' ? String.raw`(?!\.(?:bulk|mbarrier))` : '';
  return [
    ...text.matchAll(new RegExp(String.raw`(?<![\w.%$])${words}(?![\w$])${others}(?=[.;'\x60" ])`, 'g')),
  ].length;
}

/** All instructions with what is taken of them. */
export function instructionRows(): readonly InstructionRow[] {
  const texts = testTexts();
  const names = [...new Set(ptxForms.map(nameOf))];
  return names.map((name) => {
    const forms = ptxForms.filter((form) => nameOf(form) === name);
    const taken = forms.filter(isTaken);
    const [best] = [...texts]
      .map(([file, text]) => [countOf(name, text), file] as const)
      .filter(([count]) => count > 0)
      .sort(([a], [b]) => b - a);
    return {
      name,
      taken,
      refused: forms.filter((form) => !taken.includes(form)),
      test: taken.length > 0 ? best?.[1] : undefined,
    };
  });
}

/** Instructions that are taken and have no form in the list. */
export const unlisted = (): readonly string[] => {
  const listed = new Set(ptxForms.flatMap((form) => [form.split(/[. ]/)[0]!, nameOf(form)]));
  return instructionNames.filter((name) => !listed.has(name));
};

const wordsOf = (form: string): string => `\`${form.split(' ')[0]}\``;

/** The page of the guide. */
export function tablePage(rows: readonly InstructionRow[]): string {
  const state = ({ taken, refused }: InstructionRow): string =>
    taken.length === 0 ? 'refused' : refused.length === 0 ? 'taken' : 'in part';
  const counted = (what: string): number => rows.filter((row) => state(row) === what).length;
  const lines = rows.map((row) => {
    const test = row.test === undefined ? '' : `\`${row.test}\``;
    const missing = row.taken.length === 0 ? '' : row.refused.map(wordsOf).join(', ');
    return `| \`${row.name}\` | ${state(row)} | ${missing} | ${test} |`;
  });
  return `# PTX instructions

Which instructions of PTX ISA 9.0 the [chiplet machine](/machines/chiplet) carries out: ${rows.length} instructions, of which ${counted('taken')} are taken in all forms that are tried, ${counted('in part')} in part and ${counted('refused')} not at all. An instruction that is refused is told with its line when the text is compiled; kernels of the same text that do without it run. The page is written from the compiler and the tests by \`npm run ptx-table\`, and a test compares it with them.

Hints for caches, \`prefetch\`, \`createpolicy\`, \`discard\`, \`applypriority\`, \`pmevent\`, \`setmaxnreg\` and \`griddepcontrol\` are taken and change nothing: caches hold no other data than memory, and grids run one after the other. Copies of \`cp.async\` and \`cp.async.bulk\` are made at once.

| instruction | state | forms that are refused | test |
|---|---|---|---|
${lines.join('\n')}
`;
}
