import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RubyVm } from '../../machines/grape/macros/real-ruby.ts';
import { UsageError } from '../usage-error.ts';

/** The packages of CRuby in WebAssembly: optional peers of Lockstep, 97 MB together (GRAPE specification 5). */
export const rubyPackages = ['@ruby/3.4-wasm-wasi', '@ruby/wasm-wasi'] as const;

/** What to do to have a real Ruby. */
export const rubyCure = `to have one, run: npm install --no-save ${rubyPackages.join(' ')}`;

/** What of the packages is used. */
interface RubyStarter {
  DefaultRubyVM(module: object, options: { consolePrint: boolean }): Promise<{ readonly vm: RubyVm }>;
}

interface Compiler {
  compile(bytes: Uint8Array): Promise<object>;
}

/**
 * Starts a real Ruby, of packages that `from` can reach; undefined when they are not there. Takes seconds.
 *
 * Errors: `UsageError` for packages that are there and do not start.
 */
export async function startRuby(from: string | URL = import.meta.url): Promise<RubyVm | undefined> {
  const reach = createRequire(from);
  let binary: string;
  let starter: string;
  try {
    binary = reach.resolve('@ruby/3.4-wasm-wasi/dist/ruby+stdlib.wasm');
    starter = reach.resolve('@ruby/wasm-wasi/dist/node');
  } catch {
    return undefined;
  }
  try {
    const { DefaultRubyVM } = reach(starter) as RubyStarter;
    const { WebAssembly: compiler } = globalThis as unknown as { readonly WebAssembly: Compiler };
    const { vm } = await DefaultRubyVM(await compiler.compile(readFileSync(binary)), { consolePrint: false });
    return vm;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `the real Ruby does not start: ${why}`,
      `remove it or install it again; ${rubyCure}`,
    );
  }
}
