import { readdirSync } from 'node:fs';
import { main } from '../../cli/main.ts';
import { KeptTerminal } from '../../cli/terminal.ts';
import { openingOf } from '../open/opening.ts';
import { Session } from '../simulator/session.ts';

/** The scenarios of the repository but for those that are wrong on purpose, and those about fairness, whose runs have no end: they are there to be checked. */
export const everyScenario: readonly string[] = (readdirSync('scenarios', { recursive: true }) as string[])
  .filter((file) => file.endsWith('.yaml') && !/^(broken|fairness)/.test(file))
  .map((file) => `scenarios/${file}`)
  .sort();

/** What a run comes to. */
export interface Came {
  readonly verdict: string;
  readonly ticks: number;
  readonly fingerprint: string;
  /** Figures for people: those of the page, and of them those that the command line tells. */
  readonly figures: readonly string[];
}

/** Carries a scenario out in a session of the page to its end, and by `lockstep run`. Undefined for a file that is no scenario. */
export async function bothWays(
  file: string,
): Promise<{ readonly page: Came; readonly command: Came } | undefined> {
  const terminal = new KeptTerminal();
  await main(['run', file, '--json', '--no-record'], terminal);
  const told = JSON.parse(terminal.stdout);
  if (told.error?.kind === 'input') return undefined;
  if (told.error) throw new Error(told.error.message);
  const session = new Session();
  const { run } = await session.open(openingOf(file).opening);
  const { verdict, ticks, fingerprint, figures } = run.ending;
  session.moment({ at: run.columns.count - 1 });
  const lines = figures.map(({ label, value }) => `${label}: ${value}`);
  return {
    page: { verdict, ticks, fingerprint, figures: lines },
    command: {
      verdict: told.verdict,
      ticks: told.ticks,
      fingerprint: told.fingerprint,
      figures: lines.filter((_, index) => {
        const { label, value } = figures[index]!;
        return (
          value
            .split('\n')
            .every((line) => terminal.stderr.split('\n').some((one) => one.includes(line.trim()))) &&
          terminal.stderr.includes(label)
        );
      }),
    },
  };
}
