import type { NetworkConfig } from '../../machines/chiplet/config.ts';
import { BenchFileError, type BenchProcess } from '../../scenarios/chiplet/interchiplet-bench-file.ts';
import { didYouMean } from '../../scenarios/nearest.ts';
import { UsageError } from '../usage-error.ts';
import { configOf, numbers, type PopnetOptions } from './popnet.ts';

const usage =
  '-A 9 -c 2 -V 3 -B 12 -O 12 -F 4 -L 1000 -T 20000 -r 1 -R 0 -I ../bench.txt -D ../delayInfo.txt -P';
const letters: readonly string[] = numbers.map(([letter]) => letter);
/** Files of rounds, which the coordinator itself hands over. */
const handedOver: readonly string[] = ['I', 'D', 'm'];

/** The network that a phase 2 process named popnet would be, by its arguments (chiplet specification 9.8). Errors: `BenchFileError` E-OPT. */
export function networkOfArguments({ args, at }: BenchProcess): NetworkConfig {
  const given: Record<string, string> = {};
  const refuse = (what: string, help: string): never => {
    throw new BenchFileError('E-OPT', at, what, help);
  };
  for (let index = 0; index < args.length; index++) {
    const word = args[index]!;
    if (word === '-P') continue;
    const letter = /^-([A-Za-z])$/.exec(word)?.[1] ?? '';
    if (![...letters, ...handedOver].includes(letter)) {
      const known = [...letters, ...handedOver, 'P'].map((one) => `-${one}`);
      return refuse(`unknown option "${word}" of popnet`, didYouMean(word, known, 'options'));
    }
    const value = args[++index];
    if (value === undefined) return refuse(`${word} has no value`, `for example ${usage}`);
    if (!handedOver.includes(letter)) given[letter] = value;
  }
  try {
    const config = configOf(given as unknown as PopnetOptions, usage);
    return config.c === 2 ? config : refuse(`-c ${config.c}`, 'transactions have two coordinates: -c 2');
  } catch (error) {
    if (error instanceof UsageError)
      return refuse(error.message.replace(/^E-OPT /, ''), `for example ${usage}`);
    throw error;
  }
}
