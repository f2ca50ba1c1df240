/** Stands among the names of machines for random machines of the kernel's own trials. */
export const kernelTrials = 'kernel trials';

/** What a process that judges is asked for. */
export interface JudgeOrder {
  readonly judge: 'scenarios' | 'fuzz';
  /** Files and how they end without a change; empty where that is not known yet. */
  readonly scenarios: Readonly<Record<string, string>>;
  readonly machines: readonly string[];
  readonly runs: number;
  readonly seed: number;
  /** Failures that the sound sources show, too, each with its machine and run: another run that fails in the same way says something new. */
  readonly known: readonly string[];
  /** Go on after a failure. */
  readonly keepGoing: boolean;
}

/** What it tells, one by one. */
export type JudgeReport =
  | { readonly kind: 'beat'; readonly what: string }
  | {
      readonly kind: 'scenario';
      readonly file: string;
      readonly outcome: string;
      readonly milliseconds: number;
    }
  | {
      readonly kind: 'fuzzed';
      readonly machine: string;
      /** Hash of the ends of all runs; empty when it stopped early. */
      readonly ends: string;
      /** Whether the changed place was carried out in a run; false also where that cannot be seen. */
      readonly reached: boolean;
      /** Numbers of the places that were carried out, where all note it. */
      readonly places?: readonly number[];
      readonly failures?: readonly string[];
    }
  | { readonly kind: 'noticed'; readonly how: string }
  | { readonly kind: 'end' };
