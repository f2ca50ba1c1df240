import { addressOf } from '../../actors/tca/address-map.ts';
import type { NodeProgram } from '../../actors/tca/node-program.ts';
import { nanoseconds } from '../../actors/tca/parameters.ts';
import type { TcaMessage } from '../../actors/tca/protocol.ts';
import {
  nextSplit,
  noteRound,
  type Split,
  type Tuning,
  type TuningRound,
  tuneRounds,
  untuned,
} from '../../actors/tca/split.ts';
import type { Run } from '../../kernel/run.ts';
import { type TcaConfig, tcaConfig } from '../../machines/tca/config.ts';
import { tcaMachine } from '../../machines/tca.ts';
import { type SimulateOptions, simulate } from '../simulate.ts';
import {
  amountOf,
  directPrograms,
  type Move,
  putPrograms,
  type Report,
  type Shape,
  spanOf,
} from './transfers.ts';

/** What a measurement changes of the default configuration. */
export type TcaSettings = Partial<Pick<TcaConfig, 'topology' | 'nodes' | 'stopDetect'>> & {
  readonly parameters?: Partial<TcaConfig['parameters']>;
};

const pageBytes = 4096;

/** A configuration whose memories hold `bytes`, each, beside the packets of GASNet. */
export function configFor(bytes: number, settings: TcaSettings = {}): TcaConfig {
  const whole = pageBytes * Math.ceil(bytes / pageBytes);
  return tcaConfig.parse({ ...settings, gpuBytes: Math.max(pageBytes, whole), cpuBytes: whole + pageBytes });
}

/** Runs programs, one a node; gives what each rank reported. Errors: when the run ends badly, or nobody reports. */
export function reported(
  config: TcaConfig,
  programsOf: (report: Report) => readonly NodeProgram[],
  options: SimulateOptions = {},
): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  const programs = programsOf((rank, ns) => times.set(rank, ns));
  const scenario = {
    file: 'bench',
    text: '',
    name: 'bench',
    machine: tcaMachine.name,
    config,
    programs: programs.map((program) => ({ module: 'bench', program })),
    faults: [],
    schedule: { kind: 'fifo' as const, seed: 0 },
  };
  const { outcome } = simulate(scenario, tcaMachine, { checkpoints: 0, ...options });
  if (outcome.verdict !== 'ok' || times.size === 0)
    throw new Error(`a transfer ended with ${JSON.stringify(outcome)}, ${times.size} nodes reported`);
  return times;
}

const gpuToGpu = (shape: Shape): Move => ({
  shape,
  src: addressOf(0, 'gpu', 0),
  dst: addressOf(1, 'gpu', 0),
});

/** Nanoseconds, one way, of the driver alone on one channel, from GPU memory to GPU or CPU memory (TCA specification 14). */
export function directNs(
  shape: Shape,
  channel: number,
  target: 'gpu' | 'cpu' = 'gpu',
  settings: TcaSettings = {},
): number {
  const config = configFor(spanOf(shape), settings);
  const move = { ...gpuToGpu(shape), dst: addressOf(1, target, 0) };
  return reported(config, (report) => directPrograms(config, move, channel, report)).get(1)!;
}

/** A put over GASNet with a given split, from GPU memory to GPU memory (TCA specification 12.8). */
export function putRound(
  shape: Shape,
  split: Split,
  settings: TcaSettings = {},
  look: (run: Run) => void = () => {},
): TuningRound {
  const config = configFor(spanOf(shape), settings);
  const rung = split.map(() => 0);
  const channelNs = split.map(() => 0);
  let made: Run | undefined;
  const times = reported(config, (report) => putPrograms(config, gpuToGpu(shape), split, report), {
    onEnd: () => {
      if (made) look(made);
    },
    observe: (run) => {
      made = run;
      run.messages$.subscribe(({ message: { due, event: any }, to }) => {
        const event = any as TcaMessage<'dmac.doorbell'> | TcaMessage<'flag.set'>;
        if (event.type === 'dmac.doorbell') rung[Number(/\d+(?=\]$)/.exec(to))] = due;
        else if (event.type === 'flag.set') channelNs[event.slot] = nanoseconds(due - rung[event.slot]!);
      });
    },
  });
  return { split, totalNs: times.get(1)!, channelNs };
}

/**
 * Puts that are split by the tags of the channels and then by what each round measured (TCA specification 12.8), `rounds` of them; `look` sees
 * each run at its end.
 */
export function tuningRounds(
  shape: Shape,
  channels: readonly number[],
  rounds: number = tuneRounds,
  settings: TcaSettings = {},
  look: (run: Run) => void = () => {},
): readonly TuningRound[] {
  const { parameters } = configFor(0, settings);
  const { amount, unit } = amountOf(shape);
  const measured: TuningRound[] = [];
  let tuning: Tuning = untuned(parameters.tagsPerChannel, channels);
  while (measured.length < rounds) {
    const split = nextSplit(tuning, amount, unit);
    // The same split takes the same time: the run need not be repeated.
    const before = measured.find((round) => round.split.every((part, channel) => part === split[channel]));
    const round = before ?? putRound(shape, split, settings, look);
    measured.push(round);
    tuning = noteRound(tuning, round);
  }
  return measured;
}

/** A put split by tags, and the best of its tuning rounds. */
export interface Tuned {
  readonly fixed: TuningRound;
  readonly tuned: TuningRound;
}

/** Tunes the put of a shape over a set of channels. */
export function tunedPut(shape: Shape, channels: readonly number[], settings: TcaSettings = {}): Tuned {
  const rounds = tuningRounds(shape, channels, tuneRounds, settings);
  return {
    fixed: rounds[0]!,
    tuned: rounds.reduce((best, round) => (round.totalNs < best.totalNs ? round : best)),
  };
}
