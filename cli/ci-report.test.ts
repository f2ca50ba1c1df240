import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { junitXml, sarifText } from './ci-report.ts';
import { called } from './testing/called.ts';

const folder = 'out/ci-report';
const at = (name: string) => `${folder}/${name}`;

const textOf = (name: string) => readFileSync(at(name), 'utf8');
const failed = {
  name: 'a < b & "c"',
  file: 'a b.yaml',
  failure: { kind: 'violated', message: 'first\nsecond', detail: 'open \u0007 it' },
};

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
});

test('JUnit counts cases, and is XML whatever is in them', () => {
  const cases = [failed, { name: 'good', file: 'x' }, { name: 'left', file: 'x', open: 'time ran out' }];

  expect(junitXml('check', cases, 1.5)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" errors="0" skipped="1" time="1.500">
  <testsuite name="lockstep check" tests="3" failures="1" errors="0" skipped="1" time="1.500">
    <testcase name="a &lt; b &amp; &quot;c&quot;" classname="a b.yaml" time="0">
      <failure type="violated" message="first&#10;second">violated: first
second
open \\u0007 it</failure>
    </testcase>
    <testcase name="good" classname="x" time="0"/>
    <testcase name="left" classname="x" time="0">
      <skipped message="time ran out"/>
    </testcase>
  </testsuite>
</testsuites>
`);
});

test('SARIF has a rule for each sentence that fails, and a result for each case', () => {
  const { version, runs } = JSON.parse(sarifText([failed, failed, { name: 'good', file: 'x' }]));

  expect(version).toBe('2.1.0');
  expect(runs[0].tool.driver).toMatchObject({ name: 'lockstep', rules: [{ id: failed.name }] });
  expect(runs[0].results).toHaveLength(2);
  expect(runs[0].results[1]).toMatchObject({
    ruleId: failed.name,
    ruleIndex: 0,
    level: 'error',
    message: { text: 'violated: first\nsecond\nopen \u0007 it' },
    locations: [{ physicalLocation: { artifactLocation: { uri: 'a%20b.yaml' } } }],
  });
});

describe('commands write what they came to for continuous integration', () => {
  test('check, of a protocol that is right and of one that is wrong', async () => {
    const right = ['check', 'scenarios/protocols/two-phase-commit.yaml', '--junit', at('right.xml')];
    const wrong = ['check', 'scenarios/protocols/broken-promise.yaml', '--record', at('wrong.json')];

    expect((await called(...right, '--sarif', at('right.sarif'))).exitCode).toBe(0);
    expect((await called(...wrong, '--junit', at('wrong.xml'), '--sarif', at('wrong.sarif'))).exitCode).toBe(
      1,
    );

    const sentence = 'no resource manager commits while another one aborts';
    expect(textOf('right.xml')).toContain('tests="2" failures="0"');
    expect(textOf('right.xml')).toContain(`<testcase name="${sentence}"`);
    expect(JSON.parse(textOf('right.sarif')).runs[0].results).toEqual([]);
    expect(textOf('wrong.xml')).toContain('tests="2" failures="1"');
    expect(textOf('wrong.xml')).toContain(`npx lockstep explain ${at('wrong.json')}</failure>`);
    expect(JSON.parse(textOf('wrong.sarif')).runs[0].results).toMatchObject([{ ruleId: sentence }]);
  });

  test('check, of what is not judged to its end', async () => {
    const { exitCode } = await called(
      'check',
      'scenarios/protocols/two-phase-commit.yaml',
      '--max-states',
      '50',
      '--junit',
      at('open.xml'),
    );

    expect(exitCode).toBe(4);
    expect(textOf('open.xml')).toContain('<skipped message="not everything was explored"/>');
  });

  test('fuzz, with the page that explains a failure', async () => {
    const found = ['fuzz', 'two-phase-commit', '--mutant', 'hasty-manager', '--out', at('found')];

    expect((await called(...found, '--junit', at('found.xml'))).exitCode).toBe(1);
    const quiet = ['fuzz', 'two-phase-commit', '--runs', '10', '--out', at('quiet'), '--junit', '-'];
    const { out } = await called(...quiet);

    expect(textOf('found.xml')).toContain('failures="1"');
    expect(textOf('found.xml')).toContain('what happened:');
    expect(out).toContain('<testcase name="10 runs" classname="two-phase-commit"');
  });

  test('verify, a case for each file', async () => {
    writeFileSync(at('none.json'), '{}');
    const file = 'properties/cell/golden/arb_tiny.json';

    await called('verify', file, at('none.json'), '--junit', at('verified.xml'));

    expect(textOf('verified.xml')).toContain('tests="2" failures="0" errors="0" skipped="1"');
    expect(textOf('verified.xml')).toContain(`classname="${file}"`);
  });

  test('and no two of them into one file', async () => {
    const { exitCode, err } = await called('verify', 'x.json', '--junit', at('a'), '--sarif', at('a'));

    expect(exitCode).toBe(2);
    expect(err).toContain('for --junit and for --sarif');
  });
});
