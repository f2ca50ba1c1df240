import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../scenarios/testing/temporary-folder.ts';
import { called } from './testing/called.ts';

const folder = temporaryFolder('check-faults');

/** Writes a scenario of two-phase commit with crashes. */
function scenario(name: string, config: string, ...faults: string[]): string {
  const file = join(folder, `${name}.yaml`);
  const lines = [`name: ${name}`, 'machine: recoverable-commit', `config: { ${config} }`];
  if (faults.length > 0) lines.push('faults:', ...faults.map((fault) => `  - ${fault}`));
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

const protocols = 'scenarios/protocols';
const agreement = 'no resource manager commits while another one aborts';

describe('check with faults that a run injects', () => {
  test('finds nothing where the protocol bears them', async () => {
    const { exitCode, out } = await called('check', `${protocols}/recoverable-commit.yaml`, '--json');

    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ verdict: 'ok', unexplored: 0, properties: [agreement] });
  });

  test.each([
    [
      'forgotten-promise',
      'crash: { actor: "ResourceManager[*]", restart: 1, budget: 1 }',
      'violated',
      ['a fault struck: crash of ResourceManager'],
    ],
    [
      'dropped-decision',
      'drop: { budget: 1 }',
      'deadlock',
      [
        'a fault struck: drop of decision.commit',
        'TransactionManager (committed) got it in tick 2, and what it sent then was lost: drop of decision.commit',
        'the last it sent was lost in tick 2: drop of decision.commit',
        'sent decision.commit to ResourceManager[0..1]',
      ],
    ],
  ])('finds what one does to %s, which is right without it', async (name, fault, verdict, told) => {
    const recording = join(folder, `${name}.json`);
    const file = `${protocols}/${name}.yaml`;
    const sound = scenario(
      `${name}-sound`,
      `resourceManagers: 2, log: ${verdict === 'violated' ? 'lost' : 'kept'}`,
    );

    const { exitCode, out } = await called('check', file, '--json', '--record', recording);

    expect(readFileSync(file, 'utf8')).toContain(fault);
    expect((await called('check', sound)).exitCode).toBe(0);
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ verdict });
    const replayed = await called('replay', recording, '--json');
    expect(JSON.parse(replayed.out)).toMatchObject({ same: true, verdict });
    const explained = await called('explain', recording);
    const page = explained.err.replaceAll(/\s+/g, ' ');
    for (const words of told) expect(page).toContain(words);
  });

  test('finds the same with two threads, in the same recording', async () => {
    const file = `${protocols}/forgotten-promise.yaml`;
    const recording = async (workers: string) => {
      const to = join(folder, `by-${workers}.json`);
      await called('check', file, '--workers', workers, '--record', to);
      return readFileSync(to, 'utf8');
    };

    expect(await recording('2')).toBe(await recording('1'));
  });

  test('finds what a damaged message does: an answer of the log that says the contrary', async () => {
    const crash = 'crash: { actor: "ResourceManager[*]", restart: 1, budget: 1 }';
    const damaged = (field: string) =>
      scenario(
        `damaged-${field}`,
        'resourceManagers: 2',
        crash,
        `corrupt: { type: log.value, field: ${field} }`,
      );
    const recording = join(folder, 'damaged.recording.json');

    const { exitCode, out } = await called('check', damaged('promised'), '--json', '--record', recording);
    const misspelt = await called('check', damaged('promissed'));

    expect([exitCode, JSON.parse(out).verdict]).toEqual([1, 'violated']);
    const replayed = await called('replay', recording, '--json');
    expect(JSON.parse(replayed.out)).toMatchObject({ same: true, verdict: 'violated' });
    // A check in which nothing can be damaged would pass.
    expect(misspelt.exitCode).toBe(2);
    expect(misspelt.err).toContain(
      'SCN032 faults[1].corrupt.field: found "promissed", which no such message has',
    );
    expect(misspelt.err).toContain('did you mean "promised"?');
  });

  test('takes a likelihood for a possibility', async () => {
    const likely = scenario(
      'likely',
      'resourceManagers: 2',
      'drop: { type: decision.*, probability: 0.001 }',
    );

    expect(JSON.parse((await called('check', likely, '--json', '--no-record')).out).verdict).toBe('deadlock');
  });

  test.each([
    ['delay: { ticks: 2 }', [], 'found a delay fault, which holds up its channel'],
    [
      'drop: { budget: 5000 }',
      [],
      'found faults with budgets 5000, expected a product of all, each plus 1, of at most',
    ],
  ])('refuses %s in plain words', async (fault, more, words) => {
    const { exitCode, err } = await called(
      'check',
      scenario('refused', 'resourceManagers: 2', fault),
      ...more,
    );

    expect(exitCode).toBe(2);
    expect(err).toContain(words);
  });
});

test('fuzz finds what a crash does, too, and its recording replays', async () => {
  const out = join(folder, 'fuzz');

  const { exitCode } = await called(
    'fuzz',
    `${protocols}/forgotten-promise.yaml`,
    '--runs',
    '2000',
    '--out',
    out,
    '--json',
  );

  expect(exitCode).toBe(1);
  const recording = join(out, 'failure-1.recording.json');
  expect(JSON.parse((await called('replay', recording, '--json')).out)).toMatchObject({
    same: true,
    verdict: 'violated',
  });
});
