import { readdirSync, readFileSync } from 'node:fs';

/**
 * The one rule for what pages of the guide show. Every fenced block, and every command in the text, is one of these; a block that is
 * none of them says `not-run` after its language.
 *
 * - `sh`: each line is a command, carried out in the order of the page. It ends with exit code 0, or as its line says: `# exit code 1`.
 * - `ts` and `js`: the first line names the file (`// out/page/name.ts`). The file is written and checked by the compiler; it is run when
 *   it exports nothing, or when its output is shown. Tests (`*.test.ts`) are run by vitest.
 * - `yaml`: the first line names the file: below `out/` it is written, elsewhere its lines stand in the file of that name.
 * - `text`: what the block before it prints. `…` stands for anything within a line, and a line of `…` alone for any lines.
 */
export interface Block {
  readonly language: string;
  /** The words after the language. */
  readonly words: string;
  readonly text: string;
  /** Of its first fence, from 1. */
  readonly line: number;
}

/** A file that a page shows. */
export interface PageFile {
  readonly kind: 'file';
  /** Below `out/`. */
  readonly file: string;
  readonly text: string;
  /** What it prints; undefined where the page does not say. */
  readonly output?: string;
  /** True where it is run, not only imported. */
  readonly script: boolean;
}

/** A command that a page shows. */
export interface PageCommand {
  readonly kind: 'command';
  /** The whole line, without the comment. */
  readonly command: string;
  readonly args: readonly string[];
  readonly exitCode: number;
  readonly output?: string;
}

/** Lines that a page shows of a file of the project. */
export interface PageExcerpt {
  readonly kind: 'excerpt';
  readonly file: string;
  readonly lines: readonly string[];
}

export type PageStep = PageFile | PageCommand | PageExcerpt;

/** The pages of the guide: paths below `docs/`, in the order of their names. */
export const guidePages = (): readonly string[] =>
  readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.startsWith('.vitepress'))
    .sort();

/** The text of a page. */
export const pageText = (page: string): string => readFileSync(`docs/${page}`, 'utf8');

/** The fenced blocks of a page. Errors: for a fence that is never closed. */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { readonly language: string; readonly words: string; readonly line: number } | undefined;
  let body: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^```(\S*) ?(.*)$/.exec(line);
    if (!fence) body.push(line);
    else if (open) {
      blocks.push({ ...open, text: body.map((one) => `${one}\n`).join('') });
      open = undefined;
    } else {
      open = { language: fence[1]!, words: fence[2]!, line: index + 1 };
      body = [];
    }
  }
  if (open) throw new Error(`found no end of the block in line ${open.line}`);
  return blocks;
}

/** What a page shows, in its order. Errors: for a block that keeps no part of the rule. */
export function stepsOf(page: string, text: string): readonly PageStep[] {
  const steps: PageStep[] = [];
  const refuse = (line: number, what: string): never => {
    throw new Error(`docs/${page}:${line}: ${what}`);
  };
  const places: { readonly line: number; readonly steps: readonly PageStep[] }[] = [];
  let latest: PageStep[] | undefined;
  for (const block of blocksOf(text)) {
    const { language, words, line } = block;
    if (words.split(' ').includes('not-run')) {
      latest = undefined;
      continue;
    }
    if (language === 'text') {
      const last = latest?.at(-1);
      if (!last || last.kind === 'excerpt' || last.output !== undefined)
        return refuse(line, 'found output of nothing; write it behind what prints it, or mark it not-run');
      latest![latest!.length - 1] =
        last.kind === 'file'
          ? { ...last, output: block.text, script: true }
          : { ...last, output: block.text };
      continue;
    }
    latest = [];
    places.push({ line, steps: latest });
    if (language === 'sh')
      for (const command of block.text.trimEnd().split('\n'))
        latest.push(
          commandOf(command) ?? refuse(line, `found "${command}", expected a command npx lockstep …`),
        );
    else if (language === 'ts' || language === 'js' || language === 'yaml') {
      const file = /^(?:\/\/|#) ([\w./-]+\.(?:ts|js|yaml))\b/.exec(block.text)?.[1];
      if (!file) return refuse(line, 'found no name of a file in the first line of the block');
      if (file.startsWith('out/'))
        latest.push({ kind: 'file', file, text: block.text, script: isScript(file, block.text) });
      else if (language === 'yaml') latest.push({ kind: 'excerpt', file, lines: linesBelow(block.text) });
      else return refuse(line, `found the file ${file}, expected one below out/`);
    } else
      return refuse(line, `found a block of "${language}", expected sh, ts, js, yaml or text, or not-run`);
  }
  for (const { line, command } of inlineCommands(text)) places.push({ line, steps: [command] });
  places.sort((a, b) => a.line - b.line);
  for (const place of places) steps.push(...place.steps);
  return steps;
}

const isScript = (file: string, text: string): boolean =>
  /\.[tj]s$/.test(file) && !/\.test\.[tj]s$/.test(file) && !/^export /m.test(text);

const linesBelow = (text: string): readonly string[] =>
  text
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/ +#.*$/, '').trimEnd())
    .filter((line) => line !== '');

function commandOf(line: string): PageCommand | undefined {
  const [command = '', comment = ''] = line.split(/ +# /);
  const args = command.split(' ');
  if (args[0] !== 'npx' || args[1] !== 'lockstep') return undefined;
  return {
    kind: 'command',
    command,
    args: args.slice(2).map((word) => word.replace(/^(['"])(.*)\1$/, '$2')),
    exitCode: Number(/^exit code (\d+)/.exec(comment)?.[1] ?? 0),
  };
}

/** Commands in the text, of which none has a placeholder (`FILE`, `…`); what they end with stands behind them: (exit code 1). */
function inlineCommands(text: string): readonly { readonly line: number; readonly command: PageCommand }[] {
  const found: { line: number; command: PageCommand }[] = [];
  let fenced = false;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.startsWith('```')) fenced = !fenced;
    if (fenced) continue;
    for (const [, command, code] of line.matchAll(/`(npx lockstep [^`]+)`(?: \(exit code (\d+)\))?/g)) {
      if (/\b[A-Z]{3,}\b|…/.test(command!)) continue;
      found.push({ line: index + 1, command: commandOf(`${command}${code ? ` # exit code ${code}` : ''}`)! });
    }
  }
  return found;
}

/** True when `printed` is what a page shows of it: `…` stands for anything within a line, a line of `…` alone for any lines. */
export function isShown(shown: string, printed: string): boolean {
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = shown
    .trimEnd()
    .split('\n')
    .map((line) =>
      line.trim() === '…' ? '(?:.*\\n)*?' : `${escaped(line.trimEnd()).replaceAll('…', '.*')} *\\n`,
    )
    .join('');
  return new RegExp(`^\\n*${pattern}\\s*$`).test(printed.endsWith('\n') ? printed : `${printed}\n`);
}
