import { describe, expect, test } from 'vitest';
import type { CpeProgram, MpeProgram } from '../../../actors/sunway/program.ts';
import { returnCode } from '../../../actors/sunway/return-code.ts';
import { onArray, trial, watchedTrial } from '../trial.ts';
import { type CaseOutcome, hostRun, type SlavePart, slaveRun, underOtherName } from './case-runs.ts';
import { hostCases, slaveCases } from './cases/cases.ts';
import { featureRows } from './feature-rows.ts';
import {
  caller,
  everyTid,
  type Given,
  type HostPlay,
  type SlaveCase,
  type SlavePlay,
} from './function-case.ts';

const idOf = (name: string): string =>
  featureRows.find((row) => row.name === name || row.aliases.includes(name))?.id ?? '';

/** Other names of a function of the slave side, which are to do the same. */
const aliasesOf = (name: string): readonly string[] =>
  featureRows.slice(0, 135).find((row) => row.side === 'slave' && row.name === name)?.aliases ?? [];

/** A play in which a function is called by another of its names. */
const renamed =
  (play: SlavePlay, name: string, alias: string): SlavePlay =>
  (c, given) =>
    play(underOtherName(c, name, alias), given);

/** Parts of one run of an array, by name: plays that several functions share are carried out once. */
function partsOfCases(): ReadonlyMap<string, SlavePart> {
  const parts = new Map<string, SlavePart>();
  const firstOf = new Map<SlavePlay, string>();
  for (const { name, by, play, fails } of slaveCases) {
    const first = firstOf.get(play) ?? name;
    firstOf.set(play, first);
    if (first === name) parts.set(name, { by, play });
    for (const alias of aliasesOf(name)) parts.set(alias, { by, play: renamed(play, name, alias) });
    if ('code' in fails) {
      const bad: SlavePlay = function* (c, given) {
        return [yield fails.call(c, given)];
      };
      parts.set(`${name} fails`, { by: 'one', play: bad, ...(fails.at !== undefined && { at: fails.at }) });
    }
    if ('gives' in fails) parts.set(`${name} fails`, { by: 'one', play: fails.play });
  }
  return parts;
}

/** What a function finds out once, when somebody asks. */
function once<Found>(find: () => Found): () => Found {
  let found: { readonly is: Found } | undefined;
  return () => {
    found ??= { is: find() };
    return found.is;
  };
}

const onSlaves = once(() => {
  const parts = partsOfCases();
  const { outcomes, stuck } = slaveRun([...parts.values()], { sldm: { mode: 4, sizeKiB: 1 } });
  const names = [...parts.keys()];
  const byName = new Map(names.map((name, k) => [name, outcomes[k]!]));
  for (const { name, play } of slaveCases) {
    const shared = slaveCases.find((one) => one.play === play)!.name;
    byName.set(name, byName.get(name) ?? byName.get(shared)!);
  }
  return { byName, stuckIn: [...new Set([...stuck.values()].map((k) => names[k]))] };
});

const onHosts = once(() => {
  const { done, outcomes, stuck } = hostRun(hostCases);
  const stuckIn = [...new Set([...stuck.values()].map((k) => hostCases[k]!.name))];
  return { done, stuckIn, byName: new Map(hostCases.map(({ name }, k) => [name, outcomes[k]!])) };
});

/** A call that never returns takes all cases behind it with it: this says which one it is. */
describe('every case is played to its end', () => {
  test('by CPEs', () => expect(onSlaves().stuckIn).toEqual([]));
  test('by hosts', () => expect(onHosts().stuckIn).toEqual([]));
});

/** The cycles of a function in the trace of its case: of the CPE that cases count from or, if that does not call it, the least. */
function cyclesIn({ calls }: CaseOutcome, name: string): number | undefined {
  const own = calls.filter((call) => call.name === name);
  return own.find(({ core }) => core === caller)?.cycles ?? Math.min(...own.map(({ cycles }) => cycles));
}

type Timed = Pick<SlaveCase, 'name' | 'traced' | 'takes'>;

function takesAsLong({ name, traced, takes }: Timed, outcome: CaseOutcome): void {
  const found = cyclesIn(outcome, traced ?? name);

  expect(found).toBeGreaterThanOrEqual(takes.cycles);
  expect(found).toBeLessThanOrEqual(takes.cycles + (takes.queueing ?? 0));
}

const playersOf = ({ by }: Pick<SlaveCase, 'by'>): readonly number[] => (by === 'one' ? [caller] : everyTid);

describe.each(slaveCases.map((one) => [idOf(one.name), one.name, one] as const))(
  '%s %s',
  (_id, name, one) => {
    const traced = one.traced ?? name;

    test(one.means, () => {
      const { gave } = onSlaves().byName.get(name)!;

      expect(playersOf(one).map((tid) => gave.get(tid))).toEqual(playersOf(one).map(one.gives));
    });

    test(`takes ${one.takes.cycles} cycles: ${one.takes.formula}`, () => {
      takesAsLong(one, onSlaves().byName.get(name)!);
    });

    for (const alias of aliasesOf(name))
      test(`is called ${alias} as well`, () => {
        const { gave, calls } = onSlaves().byName.get(alias)!;

        expect(playersOf(one).map((tid) => gave.get(tid))).toEqual(playersOf(one).map(one.gives));
        takesAsLong(one, { gave, calls });
      });

    const { fails } = one;
    if ('code' in fails) {
      test(`refuses ${fails.with} with ${fails.code}, which the trace shows`, () => {
        const { gave, calls } = onSlaves().byName.get(`${name} fails`)!;
        const code = returnCode[fails.code];

        expect([...gave.values()]).toEqual([[code]]);
        expect(calls.filter((call) => call.name === traced).map((call) => call.code)).toEqual([code]);
      });

      test(`stops the run with ${fails.with} where bad calls trap`, () => {
        const { verdict, violations } = trapped(fails.call, fails.at ?? caller);

        expect(verdict).toBe('error');
        expect(violations).toMatch(
          new RegExp(`${fails.code} from ${traced}\\(.*\\) on CPE \\d of core group 0 in cycle \\d+`),
        );
      });
    }
    if ('gives' in fails)
      test(`fails when ${fails.when}`, () => {
        expect([...onSlaves().byName.get(`${name} fails`)!.gave.values()]).toEqual([fails.gives]);
      });
    if ('report' in fails)
      test(`is reported when ${fails.when}`, () => {
        expect(findings(onArray(alone(fails.play)), { cpesPerCg: 10, fidelity: 'functional' })).toMatch(
          fails.report,
        );
      });
  },
);

describe.each(hostCases.map((one) => [idOf(one.name), one.name, one] as const))('%s %s', (_id, name, one) => {
  test(one.means, () => {
    const { done, byName } = onHosts();

    expect([0, 1].map((cgn) => byName.get(name)!.gave.get(cgn))).toEqual(
      [0, 1].map((cgn) => one.gives(cgn).map(String)),
    );
    if (one.leaves) expect(done.result.files[one.leaves.file]).toBe(one.leaves.digits);
  });

  test(`takes ${one.takes.cycles} cycles: ${one.takes.formula}`, () => {
    takesAsLong(one, onHosts().byName.get(name)!);
  });

  const { fails } = one;
  if ('code' in fails) {
    test(`refuses ${fails.with} with ${fails.code}`, () => {
      expect(gaveOf(fails.play)).toBe(`${returnCode[fails.code]}`);
    });

    test(`stops the run with ${fails.with} where bad calls trap`, () => {
      const { outcome } = trial(telling(fails.play), tiny).run;

      expect(outcome.verdict).toBe('error');
      expect(outcome.violations.map(({ why }) => why).join('\n')).toMatch(
        new RegExp(`${fails.code} from ${name}\\(`),
      );
    });
  }
  if ('gives' in fails)
    test(`fails when ${fails.when}`, () => {
      expect(gaveOf(fails.play)).toBe(fails.gives.join(' '));
    });
  if ('report' in fails)
    test(`is reported when ${fails.when}`, () => {
      expect(findings(telling(fails.play), tiny)).toMatch(fails.report);
    });
});

const tiny = { cpesPerCg: 8, memoryMiB: 1, fidelity: 'functional' } as const;

/** A host program that tells what a play gives. */
const telling = (play: HostPlay): MpeProgram =>
  function* (h) {
    yield h.tell('gave', (yield* play(h, h.crossAlloc(64))).join(' '));
  };

const gaveOf = (play: HostPlay) =>
  trial(telling(play), { ...tiny, cacheKiB: 32, onError: 'return' }).told['gave'];

/** What a play of the slave side is given when it is alone in its run. */
const alone = (play: SlavePlay): CpeProgram =>
  function* (c, memory) {
    yield* play(c, givenTo(c, memory));
  };

const givenTo = (c: Parameters<SlavePlay>[0], memory: number): Given => ({
  a: c.ldmStatic('a', 256, 64),
  b: c.ldmStatic('b', 256, 64),
  d: c.ldmStatic('d', 256, 64),
  own: c.rply(),
  come: c.rply(),
  memory,
});

/** Everything that a run found: violations, and why it stands still. */
function findings(host: MpeProgram, config: object): string {
  const { run, result } = watchedTrial(host, config);
  return [...run.outcome.violations.map(({ why }) => why), ...result.warnings, ...result.deadlock].join('\n');
}

/** A bad call of one CPE of the first row, in the column of the CPE that makes it elsewhere. */
function trapped(call: SlaveCallOf, at: number) {
  const program: CpeProgram = function* (c, memory) {
    if (c.tid === at % 8) yield call(c, givenTo(c, memory));
  };
  const { outcome } = trial(onArray(program), { ...tiny, sldm: { mode: 4, sizeKiB: 1 } }).run;
  return { verdict: outcome.verdict, violations: outcome.violations.map(({ why }) => why).join('\n') };
}

type SlaveCallOf = Extract<SlaveCase['fails'], { readonly code: string }>['call'];
