import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { allActors } from '../cli/actor-files.ts';
import { compile } from '../kernel/compile.ts';
import { singleStates } from './single-states.ts';

/** What the table says of one state machine. */
export interface StateMachineRow {
  readonly name: string;
  readonly family: string;
  /** States below the root, transitions that are not refusals. */
  readonly states: number;
  readonly transitions: number;
  /** Lines of the states object, with what it is built from in its file and those that it imports; null where a function of another file builds it. */
  readonly inside: number | null;
  /** Lines of its file, and of the files of its family with logic and no state machine that it imports, directly or by others. */
  readonly file: number;
  readonly outside: number;
}

const root = join(import.meta.dirname, '..');
const sources = new Map<string, ts.SourceFile>();

function sourceOf(path: string): ts.SourceFile {
  let source = sources.get(path);
  if (source === undefined) {
    source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2023, true);
    sources.set(path, source);
  }
  return source;
}

const linesOf = (node: ts.Node): number => node.getText().split('\n').length;
const linesOfFile = (path: string): number => sourceOf(path).text.trimEnd().split('\n').length;

function* nodesIn(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* nodesIn(child);
}

const holdsCreation = (node: ts.Node): boolean => node.getText().includes('.createMachine(');

const isCreation = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === 'createMachine';

/** The creation of a state machine that a file exports; null where the file calls a function for it. */
function creationIn(path: string, key: string | undefined): ts.CallExpression | null {
  const found = [...nodesIn(sourceOf(path))].filter(isCreation);
  if (found.length < 2 || key === undefined) return found[0] ?? null;
  const isOfExport = (node: ts.Node): boolean =>
    (ts.isVariableDeclaration(node) && node.name.getText() === key) ||
    (node.parent !== undefined && isOfExport(node.parent));
  return found.find(isOfExport) ?? null;
}

/** Lines of the states object of a creation, and of the functions and values of its file and those that it imports that hold parts of it. */
function insideOf(creation: ts.CallExpression): number | null {
  const [config] = creation.arguments;
  if (config === undefined || !ts.isObjectLiteralExpression(config)) return null;
  const parts: ts.Node[] = config.properties.filter(({ name }) =>
    ['states', 'on'].includes(name?.getText() ?? ''),
  );
  const own = creation.getSourceFile();
  const files = [own, ...importsOf(own.fileName).filter(isActorsFile).map(sourceOf)];
  const declarations = files
    .flatMap((file) => [...nodesIn(file)])
    .filter(
      (node): node is ts.VariableDeclaration | ts.FunctionDeclaration =>
        (ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node)) &&
        /\b(on|always|states): ?[{[]|\btarget: '/.test(node.getText()) &&
        !holdsCreation(node),
    );
  for (let k = 0; k < parts.length; k++) {
    const words = new Set([...nodesIn(parts[k]!)].filter(ts.isIdentifier).map(({ text }) => text));
    for (const one of declarations)
      if (!parts.includes(one) && words.has(one.name?.getText() ?? '')) parts.push(one);
  }
  return parts.reduce((sum, part) => sum + linesOf(part), 0);
}

/** The files with values that a file imports. */
const importsOf = (path: string): readonly string[] =>
  sourceOf(path)
    .statements.filter(ts.isImportDeclaration)
    .filter(({ importClause, moduleSpecifier }) => {
      const named = importClause?.namedBindings;
      const onlyTypes =
        importClause?.isTypeOnly ||
        (named !== undefined &&
          ts.isNamedImports(named) &&
          importClause?.name === undefined &&
          named.elements.every(({ isTypeOnly }) => isTypeOnly));
      return !onlyTypes && ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text.startsWith('.');
    })
    .map(({ moduleSpecifier }) => join(dirname(path), (moduleSpecifier as ts.StringLiteral).text));

/** Whether a file is one of the actors: the kernel has helpers for states, and no states. */
const isActorsFile = (path: string): boolean => !relative(join(root, 'actors'), path).startsWith('..');

/** Lines of the files of a family that a file imports, without those that hold a state machine of their own. */
function outsideOf(path: string, family: string): number {
  const folder = join(root, 'actors', family);
  const seen = new Set([path]);
  let lines = 0;
  for (const one of seen)
    for (const next of importsOf(one)) {
      if (seen.has(next) || relative(folder, next).startsWith('..')) continue;
      if (holdsCreation(sourceOf(next))) continue;
      seen.add(next);
      lines += linesOfFile(next);
    }
  return lines;
}

/** All state machines of Lockstep, or those of a family, with what a diagram shows of them and what it does not. */
export async function stateMachineRows(only?: string): Promise<readonly StateMachineRow[]> {
  const rows: StateMachineRow[] = [];
  for (const { name, machine } of await allActors()) {
    const [file, key] = name.split('#') as [string, string | undefined];
    const family = file.split('/')[0]!;
    if (only !== undefined && family !== only) continue;
    const path = join(root, 'actors', `${file}.ts`);
    const { states, transitions } = compile(machine);
    const creation = creationIn(path, key);
    rows.push({
      name,
      family,
      states: states.length,
      transitions: transitions.filter(({ refuses }) => !refuses).length,
      inside: creation && insideOf(creation),
      file: linesOfFile(path),
      outside: outsideOf(path, family),
    });
  }
  return rows;
}

/** Whether a state machine is the plain twin of an explicit one, which has its states for it: in `fast`, or one that moves whole bursts. */
export const isTwin = (name: string): boolean => /(^|\/)(fast|burst)\//.test(name);

const figures = ({ states, transitions, inside, file, outside }: StateMachineRow): readonly string[] =>
  [states, transitions, inside ?? '–', file, outside].map(String);
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

/** The table as Markdown; with rows of an earlier state, what has changed stands as `before → now`. */
function tableOf(rows: readonly StateMachineRow[], before: readonly StateMachineRow[]): string {
  const earlier = new Map(before.map((row) => [row.name, row]));
  let text = line(['state machine', 'states', 'transitions', 'lines of states', 'of file', 'outside', '']);
  text += line(Array.from({ length: 7 }, () => '---'));
  for (const row of rows) {
    const old = earlier.get(row.name);
    const was = old === undefined ? [] : figures(old);
    const now = figures(row).map((one, k) =>
      was[k] === undefined || was[k] === one ? one : `${was[k]} → ${one}`,
    );
    const word = isTwin(row.name)
      ? 'fast twin'
      : row.states > 1
        ? before.length > 0 && old === undefined
          ? 'new'
          : ''
        : `one state: ${singleStates[row.name] ?? 'no reason given'}`;
    text += line([row.name, ...now, word]);
  }
  for (const { name } of before)
    if (!rows.some((row) => row.name === name)) text += line([name, '', '', '', '', '', 'gone']);
  const single = rows.filter(({ name, states }) => states <= 1 && !isTwin(name));
  const unsaid = single.filter(({ name }) => singleStates[name] === undefined).length;
  return `${text}\n${rows.length} state machines, ${single.length} with one state besides fast twins, ${unsaid} of them without a reason\n`;
}

const usage = `Table of all state machines: states, transitions, lines inside and outside.
usage: npm run state-machines -- [--family sunway] [--save FILE.json] [--before FILE.json]`;

async function main(): Promise<void> {
  const option = (name: string): string | undefined => {
    const at = process.argv.indexOf(name);
    return at < 0 ? undefined : process.argv[at + 1];
  };
  if (process.argv.includes('--help')) {
    console.log(usage);
    return;
  }
  const [family, save, before] = [option('--family'), option('--save'), option('--before')];
  const ofFamily = (rows: readonly StateMachineRow[]) =>
    rows.filter((row) => family === undefined || row.family === family);
  const rows = await stateMachineRows(family);
  if (save) writeFileSync(save, `${JSON.stringify(rows, null, 1)}\n`);
  const old = before ? (JSON.parse(readFileSync(before, 'utf8')) as readonly StateMachineRow[]) : [];
  process.stdout.write(tableOf(rows, ofFamily(old)));
}

if (process.argv[1] === import.meta.filename) await main();
