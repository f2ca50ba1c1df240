import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultTiming } from '../../actors/chiplet/gpu/timing.ts';
import { approximations, type CompileOptions } from '../../actors/chiplet/ptx/compile-options.ts';
import { BarrierDeadlock, StepLimit } from '../../actors/chiplet/ptx/functional-grid.ts';
import { MessageFault } from '../../actors/chiplet/ptx/lane-messages.ts';
import { LaunchError } from '../../actors/chiplet/ptx/launch.ts';
import { compileKernels, type PartialProgram } from '../../actors/chiplet/ptx/program.ts';
import { PtxError } from '../../actors/chiplet/ptx/ptx-error.ts';
import { KernelTrap, MemoryFault } from '../../actors/chiplet/ptx/warp.ts';
import { type MeasuredCase, measuredFile, runMeasured } from '../../machines/chiplet/measured-case.ts';
import { timedMeasured } from '../../machines/chiplet/measured-cycles.ts';
import { readInput } from '../read-input.ts';
import { readJsonAs } from '../read-json.ts';
import { Draw } from './draw.ts';
import { leaksIn } from './judge.ts';
import { damagedPtx } from './ptx-mutations.ts';

/** What came of a launch of a damaged text. */
export interface PtxEnded {
  /** The text and the launch. */
  readonly args: readonly string[];
  readonly how: string;
  /** 0 for an end, 1 for a fault of the kernel that is told, 2 for a text or a launch that is refused, 3 for what is none of these. */
  readonly exitCode: number;
  /** The kind of end, without timing and on a chiplet. */
  readonly out: string;
  /** What a user is told. */
  readonly err: string;
  /** What is wrong with it. */
  readonly faults: readonly string[];
}

/** Warp instructions, and cycles on a chiplet, after which a launch is stopped. */
const stepsMost = 300_000;
const cyclesMost = 20_000;

/** Launches of a file, each with a text that is damaged: what they are depends on seed and number alone. */
export class PtxCases {
  readonly #file: string;
  readonly #launches: readonly { readonly one: MeasuredCase; readonly text: string }[];

  /** `file`: measured launches (`lockstep-gpu/1`), beside the texts that they name. */
  constructor(file: string) {
    this.#file = file;
    const { cases } = readJsonAs(file, measuredFile, 'give a file of the format lockstep-gpu/1');
    this.#launches = cases.flatMap((one) =>
      Object.keys(one.expected)
        .filter((text) => existsSync(join(dirname(file), text)))
        .map((text) => ({ one, text })),
    );
  }

  /** The damaged text of a case. */
  case(seed: number, index: number) {
    const draw = new Draw(seed, index);
    // Every text has its turn.
    const { one, text } = this.#launches[index % this.#launches.length]!;
    const { text: changed, how } = damagedPtx(readInput(join(dirname(this.#file), text)), draw);
    const options: CompileOptions = {
      messageOpcode: draw.of(['off', 'off', 'auto']),
      contraction: draw.of(['none', 'fuse']),
      approximations: draw.of(approximations),
      divergence: draw.of(['independent', 'independent', 'stack']),
      ...(draw.onceIn(2) && { entries: [one.entry] }),
    };
    return { one, file: text, text: changed, how, options };
  }

  carriedOut(seed: number, index: number): PtxEnded {
    const { one, file, text, how, options } = this.case(seed, index);
    const judge = new Judge(text);
    const ends = judge.launched(file, one, options);
    const { told, faults } = judge;
    return {
      args: [file, one.name, JSON.stringify(options)],
      how,
      exitCode:
        faults.length > 0 ? 3 : ends.includes('refused') ? 2 : ends.some((end) => end !== 'ended') ? 1 : 0,
      out: ends.join(', '),
      err: told.join('\n'),
      faults,
    };
  }
}

/** How a launch came to its end. */
type End = 'ended' | 'refused' | 'fault' | 'deadlock' | 'stopped' | 'not as it should';

class Judge {
  readonly told: string[] = [];
  readonly faults: string[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Compiles a text and launches it, without timing and on a chiplet: the ends. */
  launched(file: string, one: MeasuredCase, options: CompileOptions): readonly End[] {
    let program: PartialProgram | undefined;
    const compiled = this.#tried(() => {
      program = compileKernels([{ file, text: this.#text }], options);
      for (const error of program.refused.values()) this.#judge(error);
      if (program.kernels.has(one.entry)) return;
      throw program.refused.get(one.entry) ?? new LaunchError(`E-LAUNCH there is no kernel ${one.entry}`);
    });
    if (compiled !== 'ended') return [compiled];
    const functional = this.#tried(() => void runMeasured(program!, one, stepsMost));
    return [functional, this.#tried(() => this.#timed(program!, one))];
  }

  /** On a chiplet. */
  #timed(program: PartialProgram, one: MeasuredCase): void {
    const { run, cycles } = timedMeasured(program, one, defaultTiming);
    run.until(cyclesMost);
    const { verdict, failure, violations, deadlock } = run.outcome;
    if (failure) throw failure.error;
    if (violations.length > 0) throw new KernelTrap(violations.map(({ why }) => why).join('\n'));
    if (verdict === 'deadlock')
      throw new BarrierDeadlock(
        deadlock!.waiting.map(({ actor, waitsFor }) => `${actor} waits for ${waitsFor}`).join(', '),
      );
    if (verdict !== 'ok') throw new Error(`verdict ${verdict}`);
    if (cycles() === undefined) throw new StepLimit(`E-LIMIT stopped after ${cyclesMost} cycles`);
  }

  #tried(work: () => void): End {
    try {
      work();
      return 'ended';
    } catch (error) {
      return this.#judge(error);
    }
  }

  /** What an error is, and whether it is told as it should be. */
  #judge(error: unknown): End {
    const known = kinds.find(([kind]) => error instanceof kind);
    if (known === undefined) {
      const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.told.push(told.slice(0, 3000));
      this.faults.push(told.slice(0, 120).replaceAll('\n', ' '));
      return 'not as it should';
    }
    const { message } = error as Error;
    this.told.push(message);
    // A modifier of PTX is called NaN.
    this.faults.push(...leaksIn(message.replace(/expected one of: .*/g, ''), this.#text));
    if (message.length > 4000) this.faults.push(`an error of ${message.length} characters`);
    if (error instanceof PtxError) {
      const { line, column } = error.at;
      if (!(line >= 1 && line <= this.#text.split(/\r?\n/).length && column >= 1))
        this.faults.push(`an error at line ${line}, column ${column}`);
    } else if (needsPlace.some((kind) => error instanceof kind) && !/:\d+/.test(message))
      this.faults.push(`tells no line: ${message.slice(0, 100)}`);
    return known[1];
  }
}

// biome-ignore lint/suspicious/noExplicitAny: constructors of errors differ.
const needsPlace: readonly (abstract new (...given: any[]) => Error)[] = [
  MemoryFault,
  KernelTrap,
  MessageFault,
];
// biome-ignore lint/suspicious/noExplicitAny: as above.
const kinds: readonly (readonly [abstract new (...given: any[]) => Error, End])[] = [
  [PtxError, 'refused'],
  [LaunchError, 'refused'],
  [MemoryFault, 'fault'],
  [KernelTrap, 'fault'],
  [MessageFault, 'fault'],
  [BarrierDeadlock, 'deadlock'],
  [StepLimit, 'stopped'],
];
