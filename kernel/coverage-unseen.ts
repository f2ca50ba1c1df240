import { type Coverage, coverageKinds, type Seen } from './coverage.ts';

/** What is not seen yet, judged by what is rare among what is seen. */
export interface Unseen {
  /** Things seen at least once: states, transitions, guard outcomes, refusals, orders. */
  readonly seen: number;
  /** Things seen in one run only. */
  readonly inOneRun: number;
  /** Good–Turing: how many new things the next run is expected to show, hence no less than the chance that it shows any; undefined without a run. */
  readonly expectedInNextRun: number | undefined;
  /** Chao: how many things that can be seen were not, at least. */
  readonly unseenAtLeast: number;
}

/**
 * Estimates how much a campaign has not seen yet.
 *
 * Details: the runs are the samples, the things of `coverageKinds` the species. With n runs, f1 things seen in exactly one of them and f2 in
 * exactly two, the next run is expected to show f1 / n new things (I. J. Good, "The population frequencies of species and the estimation of
 * population parameters", Biometrika 40, 1953; for fuzzing M. Böhme, "STADS: software testing as species discovery", ACM TOSEM 27(2), 2018),
 * and at least (n - 1) / n · f1 (f1 - 1) / (2 (f2 + 1)) things are left (A. Chao, "Estimating the population size for capture-recapture data
 * with unequal catchability", Biometrics 43, 1987, in the form without bias).
 *
 * Gotchas: the runs are taken to be independent samples of one distribution. Those of a search that learns from what it has seen are not:
 * there the estimate is a rule of thumb.
 */
export function unseenIn(coverage: Coverage): Unseen {
  const { runs } = coverage;
  const counts = coverageKinds
    .flatMap((kind) => Object.values(coverage[kind]))
    .flatMap((names) => Object.values(names))
    .map(([, inRuns]: Seen) => inRuns);
  const inExactly = (count: number) => counts.filter((one) => one === count).length;
  const [once, twice] = [inExactly(1), inExactly(2)];
  return {
    seen: counts.length - inExactly(0),
    inOneRun: once,
    expectedInNextRun: runs === 0 ? undefined : once / runs,
    unseenAtLeast: once < 2 ? 0 : (((runs - 1) / runs) * once * (once - 1)) / (2 * (twice + 1)),
  };
}
