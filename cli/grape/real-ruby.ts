import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { RubyVm } from '../../machines/grape/macros/real-ruby.ts';
import { UsageError } from '../usage-error.ts';

/** The packages of CRuby in WebAssembly: optional peers of Lockstep, 97 MB together (GRAPE specification 5). */
export const rubyPackages = ['@ruby/3.4-wasm-wasi', '@ruby/wasm-wasi'] as const;

/** What to do to have a real Ruby. */
export const rubyCure = `to have one, run: npm install --no-save ${rubyPackages.join(' ')}`;

/** What of `@ruby/wasm-wasi` is used. */
interface RubyStarter {
  readonly RubyVM: {
    instantiateModule(given: {
      readonly module: object;
      readonly wasip1: object;
      readonly args: readonly string[];
    }): Promise<{ readonly vm: RubyVm }>;
  };
}

/** What of the system interface in JavaScript is used, on which `@ruby/wasm-wasi` itself depends. */
interface SystemInterface {
  readonly File: new (bytes: readonly number[]) => object;
  readonly OpenFile: new (file: object) => object;
  readonly PreopenDirectory: new (path: string, entries: Map<string, object>) => object;
  readonly WASI: new (
    args: readonly string[],
    environment: readonly string[],
    files: readonly object[],
    options: { readonly debug: boolean },
  ) => object;
}

interface Compiler {
  compile(bytes: Uint8Array): Promise<object>;
}

/** Gems take seconds to load, and none are in the packages. */
const rubyArguments = ['ruby.wasm', '--disable-gems', '-EUTF-8', '-e_=0'];

/**
 * Starts a real Ruby, of packages that `from` can reach; undefined when they are not there. Takes a second or two.
 *
 * Details: Ruby sees an empty file system and no environment. The system interface is the one in JavaScript: that of Node 20 ends the
 * process at random after some evaluations (nodejs/node#53087).
 *
 * Errors: `UsageError` for packages that are there and do not start.
 */
export async function startRuby(from: string | URL = import.meta.url): Promise<RubyVm | undefined> {
  const reach = createRequire(from);
  let binary: string;
  let starter: string;
  let systemInterface: string;
  try {
    binary = reach.resolve('@ruby/3.4-wasm-wasi/dist/ruby+stdlib.wasm');
    starter = reach.resolve('@ruby/wasm-wasi');
    systemInterface = createRequire(starter).resolve('@bjorn3/browser_wasi_shim');
  } catch {
    return undefined;
  }
  try {
    const { RubyVM } = reach(starter) as RubyStarter;
    const { File, OpenFile, PreopenDirectory, WASI } = (await import(
      pathToFileURL(systemInterface).href
    )) as SystemInterface;
    const { WebAssembly: compiler } = globalThis as unknown as { readonly WebAssembly: Compiler };
    const module = await compiler.compile(readFileSync(binary));
    const streams = Array.from({ length: 3 }, () => new OpenFile(new File([])));
    const wasip1 = new WASI([], [], [...streams, new PreopenDirectory('/', new Map())], { debug: false });
    return (await RubyVM.instantiateModule({ module, wasip1, args: rubyArguments })).vm;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `the real Ruby does not start: ${why}`,
      `remove it or install it again; ${rubyCure}`,
    );
  }
}
