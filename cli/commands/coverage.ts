import type { Command } from 'commander';
import { emptyCoverage, mergeCoverage } from '../../kernel/coverage.ts';
import { summaryOf } from '../../kernel/coverage-summary.ts';
import { unseenIn } from '../../kernel/coverage-unseen.ts';
import type { Session } from '../command.ts';
import { loadCoverage } from '../coverage/coverage-file.ts';
import { coverageText } from '../coverage/coverage-text.ts';

/** `lockstep coverage FILE…`: what runs have covered, together. */
export function declareCoverage(command: Command, { terminal }: Session): void {
  command
    .argument('<file...>', 'files that `lockstep run --coverage` wrote, or ledgers of `lockstep fuzz`')
    .option('--all', 'name everything that is missing')
    .option('--json', 'one JSON object on standard output')
    .addHelpText(
      'after',
      `
Examples:
  lockstep coverage out/fuzz/cell/ledger.json
  lockstep run scenarios/cell/hazard.yaml --coverage out/hazard.json && lockstep coverage out/hazard.json`,
    )
    .action((files: readonly string[], { all, json }: { all?: boolean; json?: boolean }) => {
      const coverage = files.map(loadCoverage).reduce(mergeCoverage, emptyCoverage);
      terminal.err(coverageText(coverage, all === true));
      if (json)
        terminal.out(
          `${JSON.stringify({ runs: coverage.runs, types: summaryOf(coverage), unseen: unseenIn(coverage) })}\n`,
        );
    });
}
