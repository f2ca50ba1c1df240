import { join } from 'node:path';
import { coveredBy, type SwarmIdentity, type SwarmRow, swarmForm, swarmText } from '../check/swarm.ts';
import { exitCodes } from '../exit-codes.ts';
import { readInput } from '../read-input.ts';
import { readJson } from '../read-json.ts';
import { RowsLedger } from '../rows-ledger.ts';
import { UsageError } from '../usage-error.ts';
import type { Merge } from './merge.ts';

const cure = 'give the ledgers of shards of one swarm, each once';

/** Puts ledgers of a swarm together; gives the exit code: 4 while searches are missing, as of any swarm that has found nothing. Errors: `UsageError` when they are not of one swarm. */
export function mergeSwarms({ files, out, json, outputs, terminal }: Merge): number {
  const parts = files.map((file) => {
    const identity = swarmForm.identity.safeParse(readJson(readInput(file), file, cure));
    if (!identity.success)
      throw new UsageError(`${file}: found something else, expected a ledger of a swarm`, cure);
    const rows = new RowsLedger(file, swarmForm, identity.data).read();
    return { file, identity: { ...identity.data, shard: null }, rows };
  });
  const identity: SwarmIdentity = parts[0]!.identity;
  const all = new Map<number, SwarmRow>();
  for (const { file, identity: own, rows } of parts) {
    if (JSON.stringify(own) !== JSON.stringify(identity))
      throw new UsageError(
        `${file}: found ${swarmForm.told(own).words}, expected ${swarmForm.told(identity).words}`,
        cure,
      );
    for (const row of rows) {
      if (all.has(row.search))
        throw new UsageError(`${file}: found search ${row.search + 1} a second time`, cure);
      all.set(row.search, row);
    }
  }
  const rows = [...all.values()].sort((one, other) => one.search - other.search);
  outputs.attempt(() => new RowsLedger(join(out, 'ledger.json'), swarmForm, identity).write(rows));
  const found = rows.filter((row) => row.found !== undefined);
  const { scenario, searches } = identity;
  if (json)
    terminal.out(
      `${JSON.stringify({ scenario, searches, done: rows.length, covered: coveredBy(rows), failed: found.length, ...outputs.json })}\n`,
    );
  terminal.err(`${scenario}: ${swarmText(rows, searches)}\nledger written: ${join(out, 'ledger.json')}\n`);
  return found.length > 0 ? exitCodes.failed : exitCodes.open;
}
