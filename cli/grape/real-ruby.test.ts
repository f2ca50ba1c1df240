import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MacroError } from '../../machines/grape/macros/errors.ts';
import { expandWith, type RubyVm } from '../../machines/grape/macros/real-ruby.ts';
import { UsageError } from '../usage-error.ts';
import { startRuby } from './real-ruby.ts';
import { expanded } from './source-file.ts';

const hex = (text: string): string => Buffer.from(text, 'utf8').toString('hex');
const unhex = (text: string): string => Buffer.from(text, 'hex').toString('utf8');
const answer = (verdict: string, ...words: string[]): string => [verdict, ...words.map(hex)].join(',');

/** A Ruby that gives one answer, and keeps what it was asked. */
function rubyThatSays(said: string): RubyVm & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    eval: (program) => {
      asked.push(program);
      return { toString: () => said };
    },
  };
}

const unsupported = 'nop <%= [1, 2].each_cons(2).to_a.length %>\n';
const none = async (): Promise<undefined> => undefined;
const nobody = async (): Promise<never> => {
  throw new Error('a real Ruby was started, which nothing needed');
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockstep-ruby-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Packages by the names and paths of the real ones, whose Ruby answers `said`. Returns a module that can reach them. */
function placePackages(said: string, starts = true): URL {
  const [ruby, wasi, shim] = ['@ruby/3.4-wasm-wasi', '@ruby/wasm-wasi', '@bjorn3/browser_wasi_shim'].map(
    (name) => join(folder, 'node_modules', name),
  ) as [string, string, string];
  for (const one of [ruby, wasi, shim]) mkdirSync(join(one, 'dist'), { recursive: true });
  // The smallest module: its magic number and its version.
  writeFileSync(join(ruby, 'dist', 'ruby+stdlib.wasm'), Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  writeFileSync(
    join(ruby, 'package.json'),
    JSON.stringify({ exports: { './dist/*.wasm': { require: './dist/*.wasm' } } }),
  );
  writeFileSync(
    join(wasi, 'package.json'),
    JSON.stringify({ exports: { '.': { require: './dist/index.js' } } }),
  );
  writeFileSync(
    join(wasi, 'dist', 'index.js'),
    `exports.RubyVM = { instantiateModule: async ({ module, wasip1, args }) => {
      if (!(module instanceof WebAssembly.Module) || wasip1.files !== 4 || args[0] !== 'ruby.wasm') throw new Error('wrongly called');
      if (!${starts}) throw new Error('out of memory');
      return { vm: { eval: () => ({ toString: () => ${JSON.stringify(said)} }) } };
    } };`,
  );
  writeFileSync(
    join(shim, 'package.json'),
    JSON.stringify({ type: 'module', exports: { '.': { default: './dist/index.js' } } }),
  );
  writeFileSync(
    join(shim, 'dist', 'index.js'),
    `export class File {}
    export class OpenFile { constructor(file) { if (!(file instanceof File)) throw new Error('no file'); } }
    export class PreopenDirectory {}
    export class WASI { constructor(args, environment, files) { this.files = files.length; } }`,
  );
  return pathToFileURL(join(folder, 'anyone.js'));
}

test('what the own evaluator does not support goes to the real Ruby, when its packages are there', async () => {
  const from = placePackages(answer('done', 'nop 3\n', 'printed\n'));

  const expansion = await expanded(unsupported, 'f.vsm', {}, () => startRuby(from));

  expect(expansion).toEqual({ text: 'nop 3\n', stdout: 'printed\n' });
});

test('without the packages the message has the place, the cause and two cures', async () => {
  const failure = await expanded(unsupported, 'f.vsm', {}, () =>
    startRuby(pathToFileURL(join(folder, 'anyone.js'))),
  ).catch((error: unknown) => error);

  expect(failure).toBeInstanceOf(UsageError);
  const { message, help } = failure as UsageError;
  expect(message).toMatch(/^f\.vsm:1:1 E_MACRO Unsupported: .*; write it with integers/);
  expect(help).toContain('npm install --no-save @ruby/3.4-wasm-wasi @ruby/wasm-wasi');
});

test('a constant or method that only a real Ruby knows goes there; without one the error stays what it is', async () => {
  const vm = rubyThatSays(answer('done', 'nop 3\n', ''));

  for (const source of ['nop <%= Struct.new(:n).new(3).n %>', 'nop <%= [3].sole %>']) {
    expect((await expanded(source, 'f.vsm', {}, async () => vm)).text).toBe('nop 3\n');
    await expect(expanded(source, 'f.vsm', {}, none)).rejects.toThrow(MacroError);
  }
});

test('no Ruby is started for what the own evaluator can do, for its other errors, for no macros, and with --ruby own', async () => {
  const start = nobody;

  expect((await expanded('nop <%= 1 + 1 %>\n', 'f.vsm', {}, start)).text).toBe('nop 2\n');
  expect((await expanded('nop 2\n', 'f.vsm', { ruby: 'real' }, start)).text).toBe('nop 2\n');
  await expect(expanded('<%= 1 / 0 %>', 'f.vsm', {}, start)).rejects.toThrow(/ZeroDivisionError/);
  await expect(expanded('<%= n %>', 'f.vsm', {}, start)).rejects.toThrow(/NameError/);
  await expect(expanded(unsupported, 'f.vsm', { ruby: 'own' }, start)).rejects.toThrow(/Unsupported/);
});

test('--ruby real asks the real Ruby for every source with macros, and says when there is none', async () => {
  const vm = rubyThatSays(answer('done', 'nop 2\n', ''));

  expect(await expanded('nop <%= 1 + 1 %>\n', 'f.vsm', { ruby: 'real' }, async () => vm)).toEqual({
    text: 'nop 2\n',
    stdout: '',
  });
  await expect(expanded('<%= 1 %>', 'f.vsm', { ruby: 'real' }, none)).rejects.toThrow(/found no real Ruby/);
});

test('packages that do not start are told of with the reason', async () => {
  const from = placePackages('', false);

  await expect(startRuby(from)).rejects.toThrow(/does not start: out of memory/);
});

test('the program and its pieces of text reach Ruby as digits, with the names given from outside', () => {
  const vm = rubyThatSays(answer('done', '', ''));

  expandWith(vm, 'a "#{b}"\n<% x = s %>é<%= x %>', { s: '"3"' });

  const digits = [...vm.asked[0]!.matchAll(/"((?:[0-9a-f]{2})+)"/g)].map(([, found]) => unhex(found!));
  expect(digits).toContain('a "#{b}"\n');
  expect(digits).toContain('é');
  expect(digits.find((one) => one.startsWith('s = "3"\n'))).toContain(' x = s ');
  expect(vm.asked[0]).not.toContain('#{b}');
});

test.each([
  ['ZeroDivisionError', 'divided by 0', '2', 'f.vsm:3:1 E_MACRO ZeroDivisionError: divided by 0'],
  ['FrozenError', "can't modify frozen String", '2', 'f.vsm:3:1 E_MACRO StandardError: FrozenError'],
  ['RuntimeError', 'no place', '', 'f.vsm:1:1 E_MACRO StandardError: RuntimeError: no place'],
])('an error of Ruby, %s, is told at the line of the template', (kind, what, line, told) => {
  const vm = rubyThatSays(answer('failed', kind, what, line));

  const expand = () => expandWith(vm, 'a\nb\n<% raise %>', {}, 'f.vsm');

  expect(expand).toThrow(MacroError);
  expect(expand).toThrow(told);
});

test('an evaluation that takes Ruby itself down is an error of the macros', () => {
  const vm: RubyVm = {
    eval: () => {
      throw new Error('exit with exit code 1');
    },
  };

  expect(() => expandWith(vm, '<% exit! %>', {}, 'f.vsm')).toThrow(
    'f.vsm:1:1 E_MACRO StandardError: Ruby has ended: exit with exit code 1',
  );
});
