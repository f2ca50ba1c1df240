import { describe, expect, test } from 'vitest';
import { returnCode } from '../../../actors/sunway/return-code.ts';
import {
  aliasesOf,
  cyclesIn,
  gaveOf,
  hostFindings,
  hostTrapped,
  partsOfCases,
  playersOf,
  slaveFindings,
  trapped,
} from './case-faults.ts';
import { type CaseOutcome, hostRun, slaveRun } from './case-runs.ts';
import { hostCases, slaveCases } from './cases/cases.ts';
import { featureRows } from './feature-rows.ts';
import type { SlaveCase } from './function-case.ts';

const idOf = (name: string): string =>
  featureRows.find((row) => row.name === name || row.aliases.includes(name))?.id ?? '';

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

type Timed = Pick<SlaveCase, 'name' | 'traced' | 'takes'>;

function takesAsLong({ name, traced, takes }: Timed, outcome: CaseOutcome): void {
  const found = cyclesIn(outcome, traced ?? name);

  expect(found).toBeGreaterThanOrEqual(takes.cycles);
  expect(found).toBeLessThanOrEqual(takes.cycles + (takes.queueing ?? 0));
}

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
        const { verdict, violations } = trapped(fails);

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
        expect(slaveFindings(fails.play)).toMatch(fails.report);
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
      const { verdict, violations } = hostTrapped(fails.play);

      expect(verdict).toBe('error');
      expect(violations).toMatch(new RegExp(`${fails.code} from ${name}\\(`));
    });
  }
  if ('gives' in fails)
    test(`fails when ${fails.when}`, () => {
      expect(gaveOf(fails.play)).toBe(fails.gives.join(' '));
    });
  if ('report' in fails)
    test(`is reported when ${fails.when}`, () => {
      expect(hostFindings(fails.play)).toMatch(fails.report);
    });
});
