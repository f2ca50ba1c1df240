import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Explorer } from '../kernel/explore/explorer.ts';
import { twoPhaseCommit } from '../kernel/explore/testing/two-phase-commit.ts';
import { temporaryFolder } from '../scenarios/testing/temporary-folder.ts';
import { type CheckIdentity, CheckpointFolder, identityOf } from './check/checkpoint-folder.ts';
import { calledAt } from './testing/called.ts';

const folder = temporaryFolder('resume');

const called = calledAt(80);

const make = () => twoPhaseCommit(5);
const check: CheckIdentity = { lockstep: '1', scenario: 'a', options: '{}', sources: { 'b.ts': '1' } };

describe('a checkpoint folder', () => {
  test('has all that an exploration goes on from, however often it ends and whatever was written after the last checkpoint', () => {
    const at = join(folder, 'often');
    const first = CheckpointFolder.forNew(at, () => check);
    let explorer = new Explorer(make, { store: first });
    let store = first;
    let stops = 0;
    while (explorer.go(60_000)) {
      store.keep(explorer);
      expect(store.kept?.states).toBe(explorer.figures.states);
      // What is written now is lost.
      explorer.go(20_000);
      explorer.moveOut();
      store.close();
      const resumed = CheckpointFolder.resumed(at, () => check);
      store = resumed.store;
      explorer = new Explorer(make, { store, from: { checkpoint: resumed.checkpoint, bytesMax: 0 } });
      stops++;
    }

    const { states, transitions, verdict } = explorer.toEnd();
    const whole = new Explorer(make).toEnd();
    expect([states, transitions, verdict]).toEqual([8832, whole.transitions, 'ok']);
    expect(stops).toBeGreaterThan(1);
    store.remove();
    expect(existsSync(at)).toBe(false);
  });

  test('of a check goes on when there is a new file: one that has changed imports it, or none', () => {
    const at = join(folder, 'new-file');
    const store = CheckpointFolder.forNew(at, () => check);
    const explorer = new Explorer(make, { store });
    explorer.go(20_000);
    store.keep(explorer);
    store.close();

    const sources = { ...check.sources, 'c.ts': '1' };
    CheckpointFolder.resumed(at, () => ({ ...check, sources })).store.remove();
  });

  test('of another check, or a damaged one, is told with what differs', () => {
    const at = join(folder, 'other');
    const store = CheckpointFolder.forNew(at, () => check);
    const explorer = new Explorer(make, { store });
    explorer.go(20_000);
    store.keep(explorer);
    store.close();
    const resumed = (other: Partial<CheckIdentity>) => () =>
      CheckpointFolder.resumed(at, () => ({ ...check, ...other }));

    expect(resumed({ scenario: 'b' })).toThrow('the checkpoint of a check with another scenario');
    expect(resumed({ options: '{"until":3}' })).toThrow('with the options {} instead of {"until":3}');
    expect(resumed({ lockstep: '2' })).toThrow('with Lockstep 1 instead of 2');
    expect(resumed({ sources: { 'b.ts': '2' } })).toThrow('other sources: b.ts has changed');
    expect(resumed({ sources: {} })).toThrow('other sources: b.ts is gone');
    const bitFlipped = (name: string, share: number) => {
      const path = join(at, name);
      const bytes = readFileSync(path);
      const damaged = Buffer.from(bytes);
      damaged[Math.floor(share * bytes.length)]! ^= 4;
      writeFileSync(path, damaged);
      expect(resumed({})).toThrow(`found in ${at} a damaged ${name}, expected the checkpoint of a check`);
      writeFileSync(path, bytes);
    };
    for (const share of [0, 0.2, 0.5, 0.999])
      for (const name of ['journal.bin', 'states.bin', 'progress.bin']) bitFlipped(name, share);
    writeFileSync(join(at, 'journal.bin'), '');
    expect(resumed({})).toThrow(/found in .* fewer than \d+ words of journal, expected the checkpoint/);
    writeFileSync(join(at, 'progress.bin'), 'nonsense');
    expect(resumed({})).toThrow('a damaged progress.bin');
    writeFileSync(join(at, 'check.json'), '{}');
    expect(resumed({})).toThrow('a check.json that is none of this version');
  });

  test('in which nothing was kept is none: it is removed, and one that a kill has left is told as nothing', () => {
    const at = join(folder, 'nothing');
    const store = CheckpointFolder.forNew(at, () => check);
    store.append('states', new Uint32Array([1, 2, 3]));
    expect(existsSync(at)).toBe(true);
    const resumed = () => CheckpointFolder.resumed(at, () => check);

    expect(resumed).toThrow('--resume: found nothing to go on from');
    store.close();
    expect(existsSync(at)).toBe(false);
  });

  test('that an earlier check has left stays beside the one of the next', () => {
    const at = join(folder, 'twice');
    for (const deliveries of [20_000, 40_000]) {
      const store = CheckpointFolder.forNew(at, () => check);
      const explorer = new Explorer(make, { store });
      explorer.go(deliveries);
      store.keep(explorer);
      store.close();
    }
    const [older, newer] = [`${at}.old`, at].map(
      (one) => CheckpointFolder.resumed(one, () => check).checkpoint.table.size,
    );

    expect(newer).toBeGreaterThan(older!);
  });

  test('that cannot be written is no reason to end a check', () => {
    const at = join(folder, 'file');
    writeFileSync(at, '');
    const store = CheckpointFolder.forNew(join(at, 'below'), () => check);
    const explorer = new Explorer(make, { store });
    explorer.go(20_000);
    store.keep(explorer);

    expect([store.kept, store.failure?.why]).toEqual([undefined, 'a file stands where a folder should be']);
    expect(explorer.toEnd().states).toBe(8832);
  });

  test('knows the check by its options and by the sources of the project', () => {
    const at = join(folder, 'project');
    mkdirSync(at);
    const file = join(at, 'model.yaml');
    const known = identityOf(file, 'name: a', {});

    expect(identityOf(file, 'name: a', {})).toEqual(known);
    writeFileSync(join(at, 'model.ts'), 'export const model = 1;');
    expect(identityOf(file, 'name: a', {}).sources).toEqual({
      ...known.sources,
      [relative('', join(at, 'model.ts'))]: expect.any(String),
    });
  });
});

describe('check --resume', () => {
  test('needs a checkpoint, which a check that has taken less than two seconds does not leave', async () => {
    const scenario = 'scenarios/protocols/two-phase-commit.yaml';
    const at = join(folder, 'resumed');
    const limited = await called('check', scenario, '--max-states', '100', '--checkpoint', at, '--json');
    expect(limited.exitCode).toBe(4);
    expect(JSON.parse(limited.out).checkpoint).toBeUndefined();

    const { exitCode, err } = await called('check', scenario, '--resume', '--checkpoint', at);

    expect(exitCode).toBe(2);
    expect(err).toContain(`--resume: found nothing to go on from in ${at}; expected the checkpoint`);
  });

  test.each([['--workers', '2'], ['--no-checkpoint'], ['--all-properties'], ['--graph', 'out/graph.dot']])(
    'is refused together with %s',
    async (...options) => {
      const { exitCode, err } = await called(
        'check',
        'scenarios/protocols/two-phase-commit.yaml',
        '--resume',
        ...options,
      );

      expect(exitCode).toBe(2);
      expect(err).toContain(`--resume: found together with ${options[0]}, expected one of them`);
    },
  );
});
