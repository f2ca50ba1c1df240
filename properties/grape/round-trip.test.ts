import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { brokenLaw, roundTrip } from './round-trip.ts';

function expectRoundTrip(source: string, legacy = false): void {
  expect(brokenLaw(roundTrip(source, undefined, legacy))).toBeUndefined();
}

test.each([
  ['vlen 4\nnop\n', 'vlen 4'],
  ['nop\nvlen 2\nnop\nmi 1\nvlen 2\n', 'vlen 2'],
  ['mi 3\nfadd $t $t\nmi 3\n', 'mi 3'],
])('a canonical text with a line that changes nothing breaks the law: %j', (text, idle) => {
  const trip = roundTrip('nop\n');

  expect(brokenLaw({ ...trip, text, textAgain: text })).toBe(
    `"${idle}" in the canonical text changes nothing`,
  );
});

const own = new URL('golden/expanded/', import.meta.url);
const manual = new URL('../../../shared/golden/vsm/', import.meta.url);

describe('assembling the canonical text of a program gives the program (GRAPE specification 3.9)', () => {
  test.each(readdirSync(own))('%s', (name) => {
    expectRoundTrip(readFileSync(new URL(name, own), 'utf8'));
  });

  test.skipIf(!existsSync(manual)).each(['gravity.vsm', 'rsqrt3_seed.vsm', 'expanded/sreadtest_2_10.vsm'])(
    "the manual's listing %s",
    (name) => {
      expectRoundTrip(readFileSync(new URL(name, manual), 'utf8'), true);
    },
  );

  test('every accepted golden source', () => {
    const cases = JSON.parse(readFileSync(new URL('golden/asm_cases.json', import.meta.url), 'utf8'));
    for (const { source, legacy, expect: expected } of cases)
      if (expected.ok) expectRoundTrip(source, legacy);
  });
});
