import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generationNamed } from '../../manifests/testing/named.ts';
import { Campaign } from '../../properties/explore/campaign.ts';
import { type Generated, GeneratedSubject } from '../../properties/explore/subject.ts';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';
import { keepFinding } from './keep-finding.ts';

const folder = temporaryFolder('keep');

/** Scenarios that cannot be simplified, since the process ends when somebody tries. */
class Doomed extends GeneratedSubject {
  override simpler(): Iterable<Generated> {
    throw new Error('the power failed');
  }
}

test('a finding whose simplification is cut short is there as it was found, and replays', async () => {
  const subject = new Doomed({ ...(await generationNamed('register')), seed: 1, mutants: ['lost-write'] });
  const campaign = new Campaign(subject, { seed: 1, strategies: ['random'], coverage: false });
  const [failure] = campaign.batch(0, 100, true).failures;
  const { kind, run } = failure!;
  const finding = { kind, by: [{ strategy: 'random' as const, first: run, failures: 1 }] };

  const keep = () => keepFinding(campaign, finding, { folder, name: 'cut', generated: true, width: 80 });

  await expect(keep()).rejects.toThrow('the power failed');
  expect(readdirSync(folder).sort()).toEqual(['cut.recording.json', 'cut.yaml']);
  expect(readFileSync(join(folder, 'cut.yaml'), 'utf8')).toContain('lost-write');
  const terminal = new KeptTerminal(false, 80);
  await main(['replay', join(folder, 'cut.recording.json'), '--json'], terminal);
  expect(JSON.parse(terminal.stdout)).toMatchObject({ same: true, toEnd: true, verdict: 'violated' });
});
