import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { claimsSchema } from '../../scenarios/tca/claim-cases.ts';
import { type ClaimLine, claimLines, claimsMarkdown } from '../../scenarios/tca/claims-table.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { projectFile } from '../project.ts';

interface ClaimsWords {
  readonly markdown?: boolean;
  readonly json?: boolean;
}

const source = projectFile('properties/tca/golden/paper-claims.json');

/** `lockstep tca claims`: what the paper says beside what the model comes to, and which of it was fitted (TCA specification 18). */
export function declareClaims(command: Command, session: Session): void {
  command
    .option('--markdown', 'a table of Markdown, as in machines/tca/README.md')
    .option('--json', 'one JSON object {claims} on standard output')
    .action(({ markdown, json }: ClaimsWords) => {
      const claims = [...claimLines(claimsSchema.parse(JSON.parse(readFileSync(source, 'utf8'))))];
      if (json) session.terminal.out(`${JSON.stringify({ claims })}\n`);
      else session.terminal.out(markdown ? claimsMarkdown(claims) : plain(claims));
      session.exitCode = claims.every(({ holds }) => holds) ? exitCodes.ok : exitCodes.failed;
    });
}

/** Lines for people. */
function plain(claims: readonly ClaimLine[]): string {
  const widest = (of: (line: ClaimLine) => string): number =>
    Math.max(...claims.map((line) => of(line).length));
  const [id, kind] = [widest((line) => line.id), widest((line) => line.kind)];
  const lines = claims.map(
    (line) =>
      `${line.holds ? 'holds ' : 'MISSED'}  ${line.id.padEnd(id)}  ${line.kind.padEnd(kind)}  ` +
      `paper ${line.paper}; model ${line.model}${line.note === '' ? '' : ` (${line.note})`}`,
  );
  return `${lines.join('\n')}\n`;
}
