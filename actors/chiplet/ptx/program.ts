import { deviceBase } from './address-space.ts';
import { addressesTaken } from './call-graph.ts';
import type { CompileOptions } from './compile-options.ts';
import type { MemoryImage } from './device-memory.ts';
import type { DeviceName } from './flat-code.ts';
import { compileKernel, type Kernel } from './kernel.ts';
import { parsePtx } from './parse.ts';
import { PtxError, PtxSource } from './ptx-error.ts';
import type { Place, Routine, Variable } from './syntax.ts';
import { DeviceVariables } from './variables.ts';

/** Texts that were compiled: their kernels, and what their variables hold at the beginning. */
export interface PtxProgram {
  readonly kernels: ReadonlyMap<string, Kernel>;
  readonly image: MemoryImage;
}

/** A program of which some kernels cannot be compiled: each with its error. */
export interface PartialProgram extends PtxProgram {
  readonly refused: ReadonlyMap<string, PtxError>;
}

/** A text with the name it is told by. */
export interface PtxFile {
  readonly file: string;
  readonly text: string;
}

/**
 * Compiles texts for one chiplet (chiplet specification 7.1). Names of kernels are those of all texts; variables and functions belong to their text.
 *
 * Errors: `PtxError` with file, line, column and the text of the line.
 */
export function compilePtx(files: readonly PtxFile[], options: CompileOptions = {}): PtxProgram {
  const { refused, ...program } = compileKernels(files, options);
  for (const error of refused.values()) throw error;
  return program;
}

/**
 * Compiles texts for one chiplet as `compilePtx` does, but a kernel that cannot be compiled does not keep the others from it.
 *
 * Errors: `PtxError` for a text that cannot be read, or whose variables cannot be placed.
 */
export function compileKernels(files: readonly PtxFile[], options: CompileOptions = {}): PartialProgram {
  const variables = new DeviceVariables();
  const kernels = new Map<string, Kernel>();
  const refused = new Map<string, PtxError>();
  let workspace: number | undefined;
  const addresses = new Map<PtxSource, ReadonlyMap<string, number>>();
  const addressOfFunction = functionAddresses();
  for (const { file, text } of files) {
    const source = new PtxSource(file, text);
    const { items, aliases, targets } = parsePtx(source);
    const routines = new Map<string, Routine>();
    const device = new Map<string, DeviceName>();
    const shared: Variable[] = [];
    const defined = new Set<string>();
    const own = new Map<string, number>();
    addresses.set(source, own);
    for (const one of items) {
      const isDefinition = one.kind === 'routine' ? one.body !== null : !one.external;
      if (isDefinition && defined.has(one.name)) throw source.twice(one.name, one.at);
      if (isDefinition) defined.add(one.name);
      if (one.kind === 'routine') {
        // A declaration gives way to what it declares.
        if (one.body !== null || !routines.has(one.name)) routines.set(one.name, one);
      } else if (one.space === 'shared') shared.push(one);
      else if (one.space === 'global' || one.space === 'const') {
        if (one.external && device.has(one.name)) continue;
        const address = variables.place(source, one);
        device.set(one.name, { space: one.space, address, ...(one.opaque && { opaque: true }) });
        own.set(one.name, address);
      }
    }
    for (const { name, of, at } of aliases) {
      const routine = routines.get(of);
      if (routine?.entry !== false || routine.body === null)
        throw source.error(
          at,
          `found an alias of "${of}", expected a function with a body in this text`,
          'define it',
          {
            found: of,
            known: [...routines.keys()],
            of: 'functions',
          },
        );
      routines.set(name, { ...routine, name });
    }
    const functions = new Map<string, number>();
    for (const { name, entry, body, at } of routines.values())
      if (!entry && body !== null) functions.set(name, addressOfFunction(source, at));
    for (const [name, address] of functions) own.set(name, address);
    const variablesOf = items.filter((one) => one.kind === 'variable');
    const taken = addressesTaken(routines, variablesOf);
    const target = targets.find((one) => one.startsWith('sm_')) ?? '';
    const around = { source, target, routines, device, shared, functions, taken };
    for (const routine of routines.values()) {
      if (!routine.entry || routine.body === null) continue;
      const { name } = routine;
      if (kernels.has(name) || refused.has(name)) throw source.twice(name, routine.at);
      if (options.entries?.includes(name) === false) continue;
      try {
        if (routine.error) throw routine.error;
        const kernel = compileKernel(routine, around, options);
        const meets = kernel.special.some(({ name: one }) => one === '%envreg1' || one === '%envreg2');
        if (meets) workspace ??= variables.reserve(gridWorkspaceBytes, 8);
        kernels.set(name, meets ? { ...kernel, workspace } : kernel);
      } catch (error) {
        if (!(error instanceof PtxError)) throw error;
        refused.set(name, error);
      }
    }
  }
  return { kernels, refused, image: variables.image((name, source) => addresses.get(source)?.get(name)) };
}

/**
 * Bytes of the room where the blocks of a grid meet: its size, and a word that they count in (`cooperative_groups`, `grid.sync()`). A driver hands it to cooperative launches, its address in
 * `%envreg1` and `%envreg2`, the high half first.
 */
const gridWorkspaceBytes = 8;

/** The first pointer to a function, and from one to the next. All lie below device memory. */
const functionBase = 0x100;
const functionStep = 16;

/** Gives each function of a program its address. Errors: E-PTX when there are too many. */
function functionAddresses(): (source: PtxSource, at: Place) => number {
  let next = functionBase;
  return (source, at) => {
    const address = next;
    next += functionStep;
    if (address >= deviceBase)
      throw source.error(
        at,
        `found one function too many, expected at most ${(deviceBase - functionBase) / functionStep}`,
        'compile fewer texts for one chiplet',
      );
    return address;
  };
}
