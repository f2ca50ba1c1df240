import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseBench } from '../../actors/chiplet/interchiplet/bench-line.ts';
import { delayText, parseDelay } from '../../actors/chiplet/interchiplet/delay-line.ts';
import { networkConfig } from '../../machines/chiplet/config.ts';
import { BenchAddressError, popnetLatencies } from '../../machines/chiplet/popnet-latencies.ts';

interface GoldenCase {
  readonly name: string;
  readonly meshSide: number;
  readonly popnetParams: Readonly<Record<string, number>>;
  readonly rounds: readonly {
    readonly bench: readonly string[];
    readonly delay: readonly string[];
    readonly converged: boolean;
  }[];
}

const { cases } = JSON.parse(readFileSync('properties/chiplet/golden/interchiplet/golden.json', 'utf8')) as {
  readonly cases: readonly GoldenCase[];
};

const configOf = ({ meshSide: A, popnetParams: { r: seed, ...given } }: GoldenCase) =>
  networkConfig.parse({ A, c: 2, seed, ...given });

/** A record with its numbers as we write them. */
const plain = (line: string): string => line.trim().split(/\s+/).map(Number).join(' ');

test.each(cases.map((one) => [one.name, one] as const))(
  'the records of %s are those of the reference, in their order',
  (_, one) => {
    const phase2 = popnetLatencies(configOf(one));
    for (const { bench, delay, converged } of one.rounds) {
      // In the last round the reference does not run its network.
      if (converged || bench.length === 0) continue;
      const own = phase2(parseBench(bench.join('\n'), 'bench.txt')).map(delayText);

      expect(own.map(plain)).toEqual(delay.map(plain));
    }
  },
);

test('a transaction with a place outside the network is refused with its line', () => {
  const phase2 = popnetLatencies(networkConfig.parse({ A: 2 }));

  expect(() => phase2(parseBench('0 0 0 0 1 1 2 0\n5 5 0 0 2 0 2 0', 'bench.txt'))).toThrow(
    BenchAddressError,
  );
  expect(parseDelay('', 'none')).toEqual([]);
});
