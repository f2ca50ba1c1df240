import type { Command } from 'commander';
import { findingsOf } from '../../farm/status.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { numberArgument } from '../number-argument.ts';
import { findingLine } from './finding-line.ts';
import { declareFarmPlace, type FarmPlace, readingFarm } from './opened-farm.ts';

/** `lockstep farm findings [CAMPAIGN]`. */
export function declareFindings(command: Command, session: Session): void {
  declareFarmPlace(command)
    .argument('[campaign]', 'number of a campaign; all when absent', numberArgument('campaign'))
    .option('--json', 'one JSON object on standard output')
    .action(async (id: number | undefined, { json, ...place }: FarmPlace & { readonly json?: boolean }) => {
      const { terminal } = session;
      const findings = (await readingFarm(place, findingsOf)).filter(
        ({ campaign }) => id === undefined || campaign === id,
      );
      terminal.err(
        `${findings.length === 0 ? 'nothing was found' : findings.map((one) => findingLine(one, place)).join('\n')}\n`,
      );
      if (json) terminal.out(`${JSON.stringify({ findings })}\n`);
      session.exitCode = findings.length > 0 ? exitCodes.failed : exitCodes.ok;
    });
}
