import { describe, expect, test } from 'vitest';
import { KernelError } from '../../kernel/errors.ts';
import { machines } from '../../manifests/machines.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { type CheckFigures, type CheckReport, casesOf, checkJson, checkText } from './check-report.ts';
import { doubtOf } from './symmetry-doubt.ts';

const { scenario, machine } = await parseScenario('name: a\nmachine: mutual-exclusion\n', 'a.yaml', machines);
const figures = (quiet: number, cut = 0): Extract<CheckFigures, { way: 'states' }> => ({
  way: 'states',
  states: 10,
  transitions: 20,
  depth: 3,
  unexplored: 0,
  quiet,
  cut,
  outside: 0,
  postponed: 0,
  merged: 0,
  locals: 5,
});
const report = (more: Partial<CheckReport>): CheckReport => ({
  scenario,
  machine,
  verdict: 'ok',
  figures: figures(2),
  judged: ['who asks is answered'],
  unjudged: [],
  atRest: ['who asks is answered'],
  open: [],
  idle: [],
  witnessed: [],
  reduction: true,
  interrupted: false,
  wallSeconds: 1,
  ...more,
});

describe('a report of a check', () => {
  test('says of which properties nothing that they look at came in any run', () => {
    const text = checkText(report({ judged: ['a', 'b'], atRest: [], idle: ['b'] }));

    expect(text).toContain('2 properties:\n  a\n  b\nof these, what they look at came in no run:\n  b\n');
  });

  test('says that what never comes is missed where runs come to rest only', () => {
    expect(checkText(report({}))).toContain(
      'judged only where nothing will happen any more, in 2 states; runs that never come to rest are not judged by them:\n  who asks',
    );
    expect(checkJson(report({}))).toMatchObject({ judgedAtRest: ['who asks is answered'] });
  });

  test('says so when no run comes to rest, so that nothing was missed', () => {
    const text = checkText(report({ figures: figures(0, 7) }));

    expect(text).toContain('NOT judged to the end, since no run comes to rest');
    expect(text).toContain('the 7 at the last tick of the scenario do not count:\n  who asks is answered');
  });

  test.each<[string, Partial<CheckReport>, Readonly<Record<string, string>>]>([
    [
      'what was found in part of the states',
      {
        verdict: 'violated',
        figures: { ...figures(2), unexplored: 3 },
        counterexample: {
          verdict: 'violated',
          what: 'a',
          actors: [],
          why: 'it does not hold',
          also: [{ what: 'b', actors: [], why: 'nor does it' }],
        },
      },
      { a: 'failed', b: 'failed', c: 'the exploration stopped at what was found (--keep-going goes on)' },
    ],
    [
      'part of the states',
      { verdict: 'incomplete', figures: { ...figures(2), unexplored: 3 } },
      {
        a: 'not everything was explored',
        b: 'not everything was explored',
        c: 'not everything was explored',
      },
    ],
    [
      'what lies before the last tick',
      { figures: figures(2, 4), open: [{ sentence: 'b', why: 'later' }] },
      {
        a: 'what comes behind the last tick of the scenario is not explored',
        b: 'later',
        c: 'what comes behind the last tick of the scenario is not explored',
      },
    ],
    ['all states', { open: [{ sentence: 'b', why: 'later' }] }, { a: 'passed', b: 'later', c: 'passed' }],
  ])('passes for continuous integration what was judged to its end only: %s', (_, more, expected) => {
    const given = report({ judged: ['a', 'b', 'c'], atRest: [], ...more });
    const [, ...cases] = casesOf(given, 'a.yaml');
    const came = cases.map(({ name, failure, open }) => [name, failure ? 'failed' : (open ?? 'passed')]);

    expect(Object.fromEntries(came)).toEqual(expected);
    const { open } = checkJson(given) as { open: { sentence: string }[] };
    expect(open.map(({ sentence }) => sentence).sort()).toEqual(
      Object.keys(expected).filter((name) => !['failed', 'passed'].includes(expected[name]!)),
    );
    const isPart = Object.values(expected).some((one) => /explor/.test(one));
    expect(checkText(given).includes('hold in what was explored only')).toBe(isPart);
  });

  test('tells of exchanged actors that are unlike beside what was found', async () => {
    const unlike = () => {
      throw new KernelError('KRN013', 'A and B', 'they are unlike');
    };
    await expect(doubtOf(unlike, false)).rejects.toThrow('KRN013 A and B: they are unlike');
    const doubt = (await doubtOf(unlike, true))!;
    const symmetry = { actors: ['A', 'B'], exchanged: 1, notSymmetric: [], doubt };

    expect(checkText(report({ symmetry }))).toContain(
      'WARNING: what was found is real, but there may be more, and the figures do not count: KRN013 A and B: they are unlike\n',
    );
  });

  test('does not promise in its headline what it has not judged', () => {
    expect(checkText(report({ unjudged: ['one', 'two'] }))).toMatch(
      /^a \(mutual-exclusion\): ok so far under every schedule: 2 properties are not judged; 1 property is judged only where a run comes to rest\n/,
    );
    expect(checkText(report({ atRest: [], figures: figures(1, 7) }))).toMatch(
      /^a \(mutual-exclusion\): ok so far under every schedule: what comes behind the last tick of the scenario is not explored\n/,
    );
    expect(checkText(report({ atRest: [] }))).toMatch(/^a \(mutual-exclusion\): ok under every schedule\n/);
    expect(checkText(report({ atRest: [], figures: { ...figures(1, 0), outside: 2 } }))).toMatch(
      /^a \(mutual-exclusion\): ok under every schedule inside the boundary\n/,
    );
  });

  test('says who makes each tick a state of its own, and what to do when that does not end', () => {
    const timed = { ...figures(1, 0), readsTime: 'Clock' };

    expect(checkText(report({ figures: timed }))).toContain(
      'the tick is a part of each state, since Clock reads the time (now)\n',
    );
    expect(checkText(report({ figures: { ...timed, unexplored: 3 } }))).toContain('so bound it (--until)');
    expect(checkText(report({ figures: figures(1, 0) }))).not.toContain('reads the time');
  });

  test('warns of properties that symmetry may mislead', () => {
    const symmetry = { actors: ['A[0]', 'A[1]'], exchanged: 3, notSymmetric: ['who asks is answered'] };

    expect(checkText(report({ symmetry }))).toContain(
      'that they mean all actors alike was tested on a sample only, so check without --symmetry to be sure:\n  who asks',
    );
  });
});
