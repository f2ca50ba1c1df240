import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { effort } from '../../kernel/testing/effort.ts';
import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';

const readme = readFileSync('machines/tca/README.md', 'utf8');
const features = [...readme.matchAll(/^\| (F\d\d) \| [^|]* \| (?:`([^`]+)`|not yet) \| (.*) ?\|$/gm)].map(
  ([, feature, file, name]) => ({ feature: feature!, file, name: name!.trim() }),
);

describe('the README of the TCA machine', () => {
  // Takes longer than all tests of a command together.
  test.runIf(effort({ short: false, long: true }))(
    'has the claims that the model makes now',
    async () => {
      const terminal = new KeptTerminal();
      const exitCode = await main(['tca', 'claims', '--markdown'], terminal);

      expect(exitCode).toBe(0);
      expect(readme).toContain(`<!-- claims -->\n${terminal.stdout}<!-- end of claims -->`);
    },
    60_000,
  );

  test('has every feature of the specification once, each with its test', () => {
    expect(features.map(({ feature }) => feature)).toEqual(
      Array.from({ length: 33 }, (_, k) => `F${String(k + 1).padStart(2, '0')}`),
    );
    for (const { feature, file, name } of features)
      if (file !== undefined) {
        expect([feature, existsSync(file)]).toEqual([feature, true]);
        expect([feature, readFileSync(file, 'utf8').includes(`'${name}'`)]).toEqual([feature, true]);
      }
  });

  test('names every scenario', () => {
    const files = readdirSync('scenarios/tca').filter((file) => file.endsWith('.yaml'));

    for (const file of files) expect(readme).toContain(`\`${file.replace('.yaml', '')}\``);
  });
});
