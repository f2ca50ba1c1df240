import { type Verb, verbsOf, wholeCommands } from '../whole-commands.ts';
import type { Base } from './bases.ts';
import { Draw } from './draw.ts';
import { damaged } from './mutations.ts';

/** What is called, with which files in the folder where it is called. */
export interface Case {
  readonly index: number;
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, Buffer>>;
  /** The file that is damaged, when one is. */
  readonly target?: string;
  /** Who reads it. */
  readonly reader?: string;
  /** What is bad about it, in words. */
  readonly how: string;
}

/** The verb reads what its argument names. */
const reads = ({ args }: Verb): boolean =>
  args.some((one) => /scenario|log|recording|file|bench|folder/.test(one.name()));

/** Values for options and arguments; `folder`, `file`, `link` and the like are made for each case. */
const words = [
  '',
  '-1',
  '0',
  '1',
  '1.5',
  '1e9',
  '1e99',
  'NaN',
  'Infinity',
  '99999999999999999999',
  '0x10',
  ' 7',
  '7 ',
  'x',
  'X',
  '\0',
  'a\0b',
  'é',
  '\u{1f600}',
  '--',
  '-',
  '-x',
  '../..',
  '.',
  'folder',
  'file',
  'file/below',
  'missing',
  'missing/below',
  'link',
  'dangling',
  'circle',
  '/dev/full',
  '/dev/null',
  '/dev/zero',
  '/proc/self/mem',
  '/nonexistent/x',
  'a'.repeat(300),
  `${'a/'.repeat(3000)}a`,
  'csv=',
  '=x',
  'csv=x',
  'vcd=folder',
  'itf=/dev/full',
  'perfetto=file/below',
  'nope=x',
  'log=\0',
  'all',
  'random,',
  ',',
  '1,2',
  '0,0',
  '3x3',
  'drop',
  'drop: {',
  'drop: { type: x }',
  '[',
  'S1',
  'C01',
  '34@5',
  '36@x',
  'own',
  'auto',
  'fifo',
  'pct',
  'compiled',
  '__proto__',
  'toString',
];
/** Where outputs cannot go, or may go only through. */
const places = [
  'folder',
  'file/below',
  'missing/deep/x',
  'link',
  'dangling',
  'circle',
  '/dev/full',
  '/dev/null',
  '/dev/stdout',
  '',
  '\0',
  'a'.repeat(300),
  'read-only',
  '/proc/x',
  '-',
];
/** Options whose value is a file or a folder: what is named as one that is read is no worse a case. */
const namesFile = /<[^>]*(?:file|dir|folder)/;

/** Limits for verbs that otherwise run for minutes: given first, so that a bad value may replace them. */
const limits: Readonly<Record<string, readonly string[]>> = {
  fuzz: ['--runs', '3'],
  check: ['--max-states', '300'],
  run: ['--until', '3000'],
  'chiplet curve': ['--side', '2', '--cycles', '300', '--loads', '0.1'],
  'chiplet schedules': ['--systems', '1', '--schedules', '1'],
  'tca bench': ['--sizes', '1024'],
  'tca conformance': ['--case', 'C01', '--nodes', '2', '--channels', '0', '--schedules', '1'],
  'tca himeno': ['--decomposition', '1x1', '--iterations', '1'],
  'sunway races': ['--only', 'S1', '--schedules', '1'],
  'grape leapfrog': ['--bodies', '4', '--steps', '1', '--blocks', '1', '--pes', '1'],
};
/** Reads standard input, which the cases of one process share: `processes.test.ts` has it. */
const leftOut = new Set(['chiplet process']);
/** Verbs that take minutes when nothing is wrong: with an option that is refused. */
const longVerbs = new Set(['sunway calibrate', 'tca claims']);

/** What every case finds in its folder. */
const common = { file: Buffer.from('a file\n'), 'folder/inside': Buffer.from('') };

/** Makes the cases of a campaign: each depends on its seed and number alone. */
export class Cases {
  readonly #bases: readonly Base[];
  readonly #verbs: readonly Verb[];

  private constructor(bases: readonly Base[], known: readonly Verb[]) {
    this.#bases = bases;
    this.#verbs = known;
  }

  static async of(bases: readonly Base[]): Promise<Cases> {
    const known = verbsOf(await wholeCommands());
    return new Cases(
      bases,
      known.filter(({ words: [one, two = ''] }) => !leftOut.has(`${one} ${two}`.trim())),
    );
  }

  /** A case by its number; below 0 the right command line `~index`, with its files as they are. */
  case(seed: number, index: number): Case {
    if (index < 0) {
      const { args, files } = this.#bases[~index]!;
      return { index, args, files: { ...common, ...files }, how: 'as it is' };
    }
    const draw = new Draw(seed, index);
    if (draw.onceIn(60)) return { index, ...this.#words(draw) };
    const kind = draw.below(10);
    const made =
      kind < 6 ? this.#damagedFile(draw) : kind < 9 ? this.#badOptions(draw) : this.#badOutput(draw);
    return { index, ...made };
  }

  /** No command, one that is unknown, and what all of them have. */
  #words(draw: Draw): Omit<Case, 'index'> {
    const first = draw.of(['help', '--help', '--version', '-h', 'list', 'nope', '', ...words]);
    const more = Array.from({ length: draw.below(4) }, () =>
      draw.of(['--json', '--help', ...words, ...draw.of(this.#verbs).words]),
    );
    return { args: [first, ...more], files: common, how: 'words' };
  }

  /** Verbs, options and readers that no case of a campaign has. */
  notTried(seed: number, count: number): readonly string[] {
    const left = new Set([
      ...this.#verbs.flatMap(({ words: verb, options }) =>
        options.map(({ long, short }) => `${verb.join(' ')} ${long ?? short}`),
      ),
      ...this.#bases.flatMap((base) => base.targets.map((target) => readerOf(base, target))),
      ...this.#verbs
        .filter((verb) => reads(verb) && !this.#basesOf(verb).length)
        .map(({ words: verb }) => `${verb.join(' ')} with a file`),
    ]);
    for (let index = 0; index < count && left.size > 0; index++) {
      const { args, reader } = this.case(seed, index);
      if (reader !== undefined) left.delete(reader);
      for (const word of args)
        for (const verb of [args[0], `${args[0]} ${args[1]}`]) left.delete(`${verb} ${word}`);
    }
    return [...left];
  }

  #basesOf({ words: verb }: Verb): readonly Base[] {
    return this.#bases.filter(({ args }) => verb.every((word, at) => args[at] === word));
  }

  #damagedFile(draw: Draw): Omit<Case, 'index'> {
    const base = draw.of(this.#bases);
    const { args, files, targets } = base;
    const target = draw.of(targets);
    const { text, how } = damaged(files[target]!, draw);
    return {
      args,
      files: { ...common, ...files, [target]: text },
      target,
      reader: readerOf(base, target),
      how: `${target}: ${how}`,
    };
  }

  #badOptions(draw: Draw): Omit<Case, 'index'> {
    const verb = draw.of(this.#verbs);
    const name = verb.words.join(' ');
    const known = this.#basesOf(verb);
    const base = known.length > 0 && !draw.onceIn(6) ? draw.of(known) : undefined;
    const args = [
      ...(base?.args ?? [...verb.words, ...Array.from({ length: draw.below(3) }, () => draw.of(words))]),
    ];
    args.push(...(limits[name] ?? []));
    for (let count = 1 + draw.below(3); count > 0; count--) {
      const option = draw.onceIn(12) ? undefined : draw.of(verb.options);
      const flag = option?.long ?? option?.short ?? draw.of(['--nope', '-Q', '--jsn', '--help=x']);
      args.push(flag);
      if (option && (option.required || option.optional) && !draw.onceIn(10)) args.push(draw.of(words));
    }
    if (longVerbs.has(name)) args.push('--nope');
    if (draw.onceIn(15)) args.splice(draw.below(args.length), 1);
    if (draw.onceIn(15)) args.push(draw.of(words));
    return { args, files: { ...common, ...base?.files }, how: `options of ${name}` };
  }

  #badOutput(draw: Draw): Omit<Case, 'index'> {
    const verb = draw.of(this.#verbs);
    const own = verb.options.flatMap(({ flags, long, short }) =>
      namesFile.test(flags) && long !== '--export' ? [long ?? short!] : [],
    );
    const exports = verb.options.some(({ long }) => long === '--export')
      ? ['csv', 'vcd', 'itf', 'mermaid', 'log']
      : [];
    const bases = this.#basesOf(verb);
    const isMade = verb.words[0] === 'init';
    if (!isMade && own.length + exports.length === 0) return this.#badOutput(draw);
    const base = bases.length > 0 ? draw.of(bases) : undefined;
    const args = [
      ...(base?.args ?? [...verb.words, ...(alone[verb.words.join(' ')] ?? [])]),
      ...(limits[verb.words.join(' ')] ?? []),
    ];
    const place = draw.of(places);
    if (isMade) args.splice(1, 1, place);
    else if (exports.length > 0 && draw.onceIn(2)) args.push('--export', `${draw.of(exports)}=${place}`);
    else args.push(own.length > 0 ? draw.of(own) : '--export', place);
    if (draw.onceIn(2) && !args.includes('--json') && verb.options.some(({ long }) => long === '--json'))
      args.push('--json');
    return { args, files: { ...common, ...base?.files }, how: `output of ${verb.words.join(' ')}` };
  }
}

/** Arguments of verbs that read no file of a base. */
const alone: Readonly<Record<string, readonly string[]>> = {
  schema: ['cell'],
  diagram: ['cell/dma-module'],
  'tca bench': ['fig1'],
};

/** The command that reads a file of a base. */
const readerOf = ({ args }: Base, target: string): string => `${args.join(' ')}: ${target}`;
