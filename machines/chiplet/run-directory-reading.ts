import {
  parseSynchronization,
  type SynchronizationView,
} from '../../actors/chiplet/interchiplet/synchronization-file.ts';
import type { ChipletAddress } from '../../actors/chiplet/ptx/message-code.ts';
import {
  type BufferNameOrder,
  type BufferPair,
  bufferPair,
  MessageFileError,
  mergedTrace,
  parseBuffer,
  parseTrace,
  type TraceLine,
} from './message-files.ts';
import type { RunFile } from './run-directory.ts';

/** What a run directory holds. */
export interface RunDirectory {
  /** The main trace, or the local ones merged. */
  readonly trace: readonly TraceLine[];
  readonly buffers: readonly (BufferPair & { readonly values: readonly number[] })[];
  readonly synchronization?: SynchronizationView;
  /** Cycles of GPU chiplets, by their console lines. */
  readonly cycles: readonly { readonly at: ChipletAddress; readonly cycles: number }[];
  /** Watts of GPU chiplets, by their power reports. */
  readonly watts: readonly { readonly at: ChipletAddress; readonly watts: number }[];
}

const consoleFile = /^gpgpusim\.(\d{1,2})\.(\d{1,2})\.log$/;
const powerFile = /^gpgpusim_power_report\.(\d{1,2})\.(\d{1,2})\.log$/;
const synchronizationFile = /^(synchronization|synFile)$/;
const localTrace = /^bench\.\d{1,2}\.\d{1,2}$/;

/**
 * Reads the files of a run directory, of this simulator or of the original (chiplet specification 3.1 to 3.3, 6); files with other names are left out.
 *
 * Errors: `MessageFileError` (E-TRACE, E-FILE) and `TraceError`, each with file and line.
 */
export function readRunDirectory(
  files: readonly RunFile[],
  order: BufferNameOrder = 'sender-first',
): RunDirectory {
  const main = files.find(({ name }) => name === 'bench');
  const locals = files.filter(({ name }) => localTrace.test(name));
  const synchronization = files.find(({ name }) => synchronizationFile.test(name));
  return {
    trace: main
      ? parseTrace(main.text, main.name)
      : mergedTrace(locals.map(({ name, text }) => parseTrace(text, name))),
    buffers: files.flatMap(({ name, text }) => {
      const pair = bufferPair(name, order);
      return pair ? [{ ...pair, values: parseBuffer(text, name) }] : [];
    }),
    ...(synchronization && {
      synchronization: parseSynchronization(synchronization.text, synchronization.name),
    }),
    cycles: addressed(files, consoleFile, (file) => ({ cycles: cyclesOf(file) })),
    watts: addressed(files, powerFile, (file) => ({ watts: wattsOf(file) })),
  };
}

/** What files with an address in their names tell. */
function addressed<T extends object>(
  files: readonly RunFile[],
  form: RegExp,
  read: (file: RunFile) => T,
): readonly (T & { readonly at: ChipletAddress })[] {
  return files.flatMap((file) => {
    const found = form.exec(file.name);
    return found ? [{ at: [Number(found[1]), Number(found[2])] as const, ...read(file) }] : [];
  });
}

/** Seconds times cycles a second. */
function cyclesOf(file: RunFile): number {
  const seconds = numberIn(
    file,
    /^gpgpu_simulation_time\s*=.*\((\d+) sec\)/,
    'gpgpu_simulation_time = … (T sec)',
  );
  const rate = numberIn(
    file,
    /^gpgpu_simulation_rate\s*=\s*(\d+) \(cycle\/sec\)/,
    'gpgpu_simulation_rate = N (cycle/sec)',
  );
  return seconds * rate;
}

const wattsOf = (file: RunFile): number =>
  numberIn(file, /^total_power_watts\s*=\s*(\S+)/, 'total_power_watts = N');

/** The number in the last line of a form: the simulator tells its figures again and again. */
function numberIn({ name, text }: RunFile, form: RegExp, expected: string): number {
  const lines = text.split(/\r?\n/);
  for (let index = lines.length - 1; index >= 0; index--) {
    const found = form.exec(lines[index]!.trim());
    if (!found) continue;
    const value = Number(found[1]);
    if (Number.isFinite(value)) return value;
    throw new MessageFileError('E-FILE', name, index + 1, lines[index]!, `a number: ${expected}`);
  }
  throw new MessageFileError('E-FILE', name, lines.length, 'the end of the file', `a line ${expected}`);
}
