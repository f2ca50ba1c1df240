import type { GasnetProgram } from '../../../actors/tca/gasnet/gasnet.ts';
import type { Mode } from '../../../actors/tca/gasnet/options.ts';
import type { Run } from '../../../kernel/run.ts';
import type { TcaConfig } from '../../../machines/tca/config.ts';
import type { TcaRunResult } from '../../../machines/tca.ts';

/** Under what a case runs. */
export interface Conditions {
  readonly config: TcaConfig;
  readonly mode: Mode | 'auto';
  /** Decides the numbers that a case draws: sizes, arguments, contents. */
  readonly seed: number;
  /** Which of the variants of the case, from 0. */
  readonly variant: number;
}

/** One case of the conformance suite: a program of GASNet that judges every value against what it works out itself (TCA specification 20). */
export interface ConformanceCase {
  readonly id: string;
  /** What must hold, in a few words. */
  readonly title: string;
  /** The public tests that assert the same. */
  readonly mirrors: string;
  readonly mandatory: boolean;
  /** The program of one rank; asked for once for each. It throws where something is not as it must be. */
  readonly program: (conditions: Conditions) => GasnetProgram;
  /** Jobs of which the case consists, 1 when not given: the default schedule runs all of them, every other one of them one. */
  readonly variants?: number;
  /** What the case needs of GASNet beside mode and channels. */
  readonly gasnet?: object;
  /** Judges how the run ended; the usual end is that no node ended the job. */
  readonly judge?: (result: TcaRunResult, conditions: Conditions) => string | undefined;
  /** Follows the run from its beginning; judges at its end what went over the wires. */
  readonly follow?: (run: Run, conditions: Conditions) => () => string | undefined;
  /** What runs may report besides: the sentences of properties that the case hurts on purpose. */
  readonly hurts?: readonly string[];
}
