import process from 'node:process';
import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values'];

/** The words of a campaign's command line. */
export interface CampaignWords<O extends Options> {
  readonly given: Values<O>;
  /** Ends with exit code 2: tells what is wrong, and the usage. */
  refuse(why: string): never;
  /** A whole number of at least `least`. */
  natural(text: string, name: string, least: number): number;
}

/** Reads the command line of a campaign; `--help` prints the usage and ends it. */
export function campaignWords<const O extends Options>(usage: string, options: O): CampaignWords<O> {
  const refuse = (why: string): never => {
    process.stderr.write(`${why}\n\n${usage}`);
    process.exit(2);
  };
  let given: Values<O>;
  try {
    given = parseArgs({ options: { ...options, help: { type: 'boolean', default: false } } })
      .values as Values<O>;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  if ((given as { readonly help?: boolean }).help) {
    process.stdout.write(usage);
    process.exit(0);
  }
  const natural = (text: string, name: string, least: number): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
    return refuse(`--${name} is "${text}", expected a whole number of at least ${least}`);
  };
  return { given, refuse, natural };
}
