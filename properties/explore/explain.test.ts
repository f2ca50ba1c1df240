import { describe, expect, test } from 'vitest';
import { RandomChoices, type Tape, TapeChoices } from '../../kernel/choices.ts';
import { machines } from '../../manifests/machines.ts';
import { propertiesNamed } from '../../manifests/testing/named.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { type ExplainOptions, type Explanation, explainFailure } from './explain.ts';
import { explanationJson } from './explanation-json.ts';
import { explanationPage } from './explanation-page.ts';
import { inOrder } from './telling-steps.ts';
import { type Story, stories, trialsOf } from './testing/racing-messages.ts';
import { Trials } from './trial.ts';

/** A tape under which each story fails, with more in it than it needs. */
const tapeOf = (story: Story): Tape =>
  story === 'livelock' ? new Array<number>(80).fill(1) : [1, 0, 0, 0, 1];

function explained(story: Story, tape = tapeOf(story), options?: ExplainOptions): Explanation {
  const explanation = explainFailure(trialsOf(story), tape, options);
  expect(explanation, `${story} does not fail`).toBeDefined();
  return explanation!;
}

const layout = { about: 'racing letters', replay: 'npx lockstep replay letters.json' };
const pageOf = (story: Story, full = false) => explanationPage(explained(story), { ...layout, full });
const section = (page: string, title: string) =>
  page
    .split('\n\n')
    .find((one) => one.startsWith(title))
    ?.split('\n')
    .slice(1)
    .join('\n');

describe('the page', () => {
  test('of a violation tells the choice, the swap, what came of it, and where it was found', () => {
    expect(pageOf('late')).toBe(`violated: nobody reads an empty page
  in tick 4, Office.Reader: the page holds 0
  racing letters

what happened:
  Served first come, first served, all is well, to its rest after tick 4. In tick 1 Box got
  letter.read page=7 from Reader before letter.write value=42 from Writer. The other way round, and
  all else the same, the run passes, to its rest after tick 4. In tick 1 Reader then got letter.text
  value=0 from Box; in the passing run it has value=42. In tick 4 this was found of Reader: the page
  holds 0.

what Reader did in tick 4:
  got      letter.compare value=0 from Reader
  state    idle
  holds    box=0 self=1
  sent     nothing
what Box did in tick 1:
  got      letter.read page=7 from Reader
  state    empty
  holds    story=late reader=1 value=0
  sent     letter.text value=0 to Reader

the schedule: 1 of 4 picks is not first come, first served

what led to it:
 tick         Box         Reader        Writer
    1   ───────┼────────────▶│             │       go; idle -> waitingForText
    1 1        │◀────────────┤             │       letter.read page=7
    1 2        │◀────────────┼─────────────┤       letter.write value=42; empty -> full
    1 ≠        ├────────────▶│             │       letter.text value=0; waitingForText -> idle
    4 ≠        │             ●             │       letter.compare value=0
      ✗ tick 4: the page holds 0
      1 came first here   2 comes first in the run that passes   ≠ not so in the run that passes

replay it: npx lockstep replay letters.json
`);
  });

  test('of a violation found during a delivery tells what had not come by then, and nothing of what came later', () => {
    expect(
      section(pageOf('violated'), 'what led to it:'),
    ).toBe(` tick         Box         Reader        Writer
    1   ───────┼────────────▶│             │       go; idle -> waitingForText
    1 1        │◀────────────┤             │       letter.read page=7
    1 2        │◀────────────┼─────────────┤       letter.write value=42; not delivered by then
      ✗ tick 1: page 7 was read when the box held 0
      1 came first here   2 comes first in the run that passes`);
  });

  test('of a deadlock tells who waits for whom, and the last that each got', () => {
    const page = pageOf('deadlock');

    expect(page.split('\n\n')[0]).toBe(`deadlock: nothing is under way, and 1 actor waits
  in tick 1, Office.Reader: what it waits for was never sent, or is held back, or was lost
  racing letters`);
    expect(
      section(page, 'who waits:'),
    ).toBe(`  Reader (waitingForText) waits since tick 1 for the text of its letter: Box
    the last it got: go (world -> Reader) in tick 1
    the last it sent: letter.read page=7 (Reader -> Box), which came in tick 1
    Box (empty) got it in tick 1, and sent nothing then
  Box, which is waited for, is full and does not wait: value=42
    the last it got: letter.write value=42 (Writer -> Box) in tick 1`);
  });

  test('of a deadlock tells what properties miss in it, a line each', () => {
    const explanation = explained('deadlock');
    const left = Array.from({ length: 7 }, (_, k) => ({
      property: 'each letter is read once, and whoever has sent one hears of it before the office is closed',
      tick: 1,
      actors: ['Reader'],
      why: `letter ${k} was not read`,
    }));
    const page = (full: boolean) =>
      explanationPage({ ...explanation, failure: { ...explanation.failure, left } }, { ...layout, full });
    const title = 'properties miss, now that nothing moves any more:';

    const short = 'was not read (each letter is read once, and whoever has sent one hears of it bef…';
    expect(section(page(false), title)).toBe(
      [...[0, 1, 2, 3].map((k) => `  Reader: letter ${k} ${short}`), '  and 3 more'].join('\n'),
    );
    expect(section(page(true), title)).toContain(
      'Reader: letter 6 was not read (each letter is read once, and whoever has sent one hears of it before',
    );
    expect(section(pageOf('deadlock'), title)).toBeUndefined();
  });

  test('of a livelock tells what repeats', () => {
    const page = pageOf('livelock');

    expect(page.split('\n\n')[0]).toBe(`livelock: deliveries without end in one tick
  in tick 1, Office.Reader, Office.Box: among its last deliveries these repeat: 30 × Office.Reader
  -> Office.Box letter.read, 29 × Office.Box -> Office.Reader letter.again
  racing letters`);
    expect(page).toContain('the schedule: 60 of 60 picks are not first come, first served\n');
  });

  test('of an error tells what could not be handled, in which state, and when it was sent', () => {
    const page = pageOf('error');

    expect(page).toMatch(/^error: Office\.Box could not handle "letter\.read"\n/);
    expect(section(page, 'what happened:')).toContain(
      `In tick 1 Box was strict and got
  letter.read page=7 from Reader, which it cannot handle: KRN004 Office.Box: state "strict" does not
  decide on "letter.read". It was posted in tick 1, when Reader handled go.`,
    );
    expect(section(page, 'what led to it:')).toMatch(/1 1 +│◀─+┤ .* letter\.read page=7/);
  });

  test('of what fails under every schedule says so, and names the messages that the finding speaks of', () => {
    const page = explanationPage(explained('always', []), layout);

    expect(section(page, 'what happened:')).toBe(
      `  It happens first come, first served, and under each of 128 random schedules, too: no order of
  deliveries was found that passes. In tick 1 this was found of Box: page 7 was read when the box
  held 42. Before that, in tick 1 Box got letter.write value=42 from Writer and in tick 1 Box got
  letter.read page=7 from Reader.`,
    );
    expect(page).toContain('the schedule: first come, first served\n');
    expect(page).not.toContain('all is well');
  });

  test.each(stories)(
    'of the story %s is the same each time and fits a screen, unless all of it is asked for',
    (story) => {
      const [once, again] = [pageOf(story), pageOf(story)];

      const lines = once.trimEnd().split('\n');
      expect(again).toBe(once);
      expect(lines.length).toBeLessThanOrEqual(45);
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
      expect(pageOf(story, true)).toContain('what led to it:\n');
      expect(pageOf(story, true).split('\n').length).toBeGreaterThanOrEqual(lines.length);
    },
  );
});

describe('the explanation', () => {
  test.each(stories)(
    'of the story %s names one cause, unless there is none or somebody is never served, and a run that passes',
    (story) => {
      const trials = trialsOf(story);
      const { simplified, causes } = explained(story);

      if (simplified) expect(trials.attempt(new TapeChoices(simplified.tape)).failure).toBeDefined();
      expect(causes.causes.map(({ parts }) => parts.length)).toEqual(
        story === 'always' || story === 'livelock' ? [] : [1],
      );
      expect(causes.passing === undefined).toBe(story === 'always');
      for (const { passing } of causes.causes)
        expect(trials.attempt(new TapeChoices(passing.tape)).failure).toBeUndefined();
    },
  );

  test('of a run that does not fail is none', () => {
    expect(explainFailure(trialsOf('violated'), [])).toBeUndefined();
  });

  test('takes what is known when it is stopped', () => {
    let asked = 0;
    const explanation = explained('late', [1, 0, 0, 0, 1], { shouldStop: () => asked++ > 0 });

    expect(explanation.complete).toBe(false);
    expect(explanationPage(explanation, layout)).toContain('(the search was stopped before its end)');
  });

  test('of a machine built for one order looks for no other order', () => {
    const page = explanationPage(explained('always', [], { scheduled: false }), layout);

    expect(page).toContain('It happens first come, first served; other choices were not tried.');
    expect(page).not.toContain('passes');
  });

  test('as JSON holds the failure, both tapes, the difference, the past and the way to see it again', () => {
    const explanation = explained('late');

    const json = explanationJson(explanation, inOrder(explanation.telling.ranked), layout.replay);

    expect(JSON.parse(JSON.stringify(json))).toMatchObject({
      failure: {
        verdict: 'violated',
        what: 'nobody reads an empty page',
        tick: 4,
        actors: ['Office.Reader'],
      },
      tape: [1, 0, 0, 0, 1],
      deviations: 1,
      causes: [
        {
          parts: [
            {
              kind: 'order',
              tick: 1,
              words: 'Box got letter.read page=7 from Reader before letter.write value=42 from Writer',
            },
          ],
          passing: { rested: true, ticks: 5 },
        },
      ],
      canonicalPasses: true,
      past: [
        { from: 'world', to: 'Office.Reader', type: 'go', mark: null },
        { type: 'letter.read', payload: { page: 7 }, mark: 'chosen' },
        { type: 'letter.write', mark: 'overtaken' },
        { type: 'letter.text', payload: { value: 0 }, mark: 'different' },
        { type: 'letter.compare', tick: 4, mark: 'different' },
      ],
      prose: expect.stringMatching(
        /^Served first come, first served, all is well, to its rest after tick 4\. /,
      ),
      replay: layout.replay,
    });
  });
});

describe('the page of a fault of the Cell ring machine that shows under some schedules only', () => {
  /** The page of the first random schedule that fails. */
  async function page(mutant: string, rest: string): Promise<string> {
    const text = `name: a race\nmachine: cell\n${rest}faults: [{ mutant: ${mutant} }]\n`;
    const { scenario, machine } = await parseScenario(text, 'race.yaml', machines);
    const trials = new Trials(scenario, machine, await propertiesNamed('cell'));
    for (let seed = 0; seed < 20; seed++) {
      const { failure, tape } = trials.attempt(new RandomChoices(seed));
      if (failure) return explanationPage(explainFailure(trials, tape)!, layout);
    }
    throw new Error(`20 random schedules show nothing of ${mutant}`);
  }

  test('shows a lost write between the reading and the writing of a byte (M-20)', async () => {
    const found = await page(
      'M-20',
      `config: { N: 1, K: 1, memSize: 1, policy: etalon-ff, skipIdle: false }
programs: [[[0, get, 0, 0, 0, 1], [1, put, 0, 0, 0, 0], [1, write, 0, 0]]]\n`,
    );

    expect(found.split('\n').length).toBeLessThanOrEqual(46);
    expect(found).toContain('Served first come, first served, all is well, ');
    expect(found).toMatch(/1 1 .*memory\.access op=read addr=0/);
    expect(found).toMatch(/1 2 .*memory\.access op=write addr=0 value=0 id=-/);
    expect(found).toMatch(/≠ .*memory\.access op=write addr=0 value=1 id=0/);
    expect(found).toContain('Memory[0]:0 ends as 0, expected 1');
  });

  test('shows an access between the two halves of another one (M-26)', async () => {
    const found = await page(
      'M-26',
      `config: { N: 2, K: 1, memSize: 1, policy: etalon-ff, skipIdle: false }
programs: [[[0, get, 0, 1, 0, 1]], [[0, put, 0, 0, 0, 1]]]\n`,
    );

    expect(found).toMatch(
      / 1 [^\n]*memory\.access op=read [^\n]*\n[^\n]* 2 [^\n]*memory\.finish op=read [^\n]*\n[^\n]* ≠ [^\n]*memory\.finish op=read /,
    );
  });

  test('shows a read that does not see an earlier write (M-21)', async () => {
    const found = await page(
      'M-21',
      `config: { N: 2, K: 1, memSize: 2, policy: etalon-ff, skipIdle: false, maxOutstanding: 1 }
programs: [[[1, put, 0, 1, 0, 2]], [[0, put, 0, 0, 0, 2]]]\n`,
    );

    expect(found).toMatch(/2 1 .*memory\.access op=read addr=0/);
    expect(found).toMatch(/2 2 .*memory\.access op=write addr=1 value=181/);
    expect(found).toContain('showed RD mem=0 a=1 v=14');
    expect(found).toContain('in the passing run it shows v=181');
  });
});
