import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { outputOf } from '../docs/output-of.ts';

const text = readFileSync('properties/README.md', 'utf8');
const folder = 'out/ten-lines';
/** The code blocks; each says in its first line which file it is. */
const files = [...text.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```/gm)].map(([, name, code]) => ({
  name: name!,
  code: code!,
}));

describe('the README of the properties', () => {
  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const { name, code } of files) writeFileSync(name, code);
  });

  const shows = async (name: string) => (await outputOf(`${folder}/${name}`)).trim();

  test('shows one property that serves runs and the checker', async () => {
    expect(await shows('two-uses.ts')).toBe('one schedule: ok\nall schedules: ok');
  }, 30_000);

  test('shows a history that an oracle refutes', async () => {
    expect(await shows('stale-read.ts')).toMatch(
      /^"P writes x = 1" before "P reads y = null" \(program order\), .*\(from read\)$/,
    );
  }, 30_000);

  test('writes a property in ten lines', () => {
    const first = files[0]!.code;

    expect(first.split('\n').filter(Boolean).length).toBeLessThanOrEqual(10);
  });

  test('names what there is', () => {
    const temporal = readFileSync('properties/temporal/temporal.ts', 'utf8');
    const sentences = [...text.matchAll(/^\| `(\w+)\(s, /gm)].map(([, name]) => name!);

    expect(sentences).toHaveLength(10);
    for (const name of sentences) expect(temporal).toMatch(new RegExp(`\\b${name}\\b`));
  });
});
