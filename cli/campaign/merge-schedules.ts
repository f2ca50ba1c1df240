import { join } from 'node:path';
import { exitCodes } from '../exit-codes.ts';
import { readInput } from '../read-input.ts';
import { readJson } from '../read-json.ts';
import { UsageError } from '../usage-error.ts';
import type { Merge } from './merge.ts';
import { mergedRows } from './schedules.ts';
import { type SchedulesIdentity, schedulesForm, schedulesLedger } from './schedules-ledger.ts';

const cure = 'give the ledgers of all shards of one campaign, each once';

/** Puts ledgers of schedules together; gives the exit code. Errors: `UsageError` when they are not all shards of one campaign. */
export function mergeSchedules({ files, out, json, outputs, terminal }: Merge): number {
  const parts = files.map((file) => {
    const identity = identityOf(file);
    return { file, identity, shard: identity.shard, rows: schedulesLedger(file, identity).read() };
  });
  const { campaign, order } = parts[0]!.identity;
  for (const { file, identity } of parts)
    if (JSON.stringify([identity.campaign, identity.order]) !== JSON.stringify([campaign, order]))
      throw new UsageError(
        `${file}: found ${schedulesForm.told(identity).words}, expected ${schedulesForm.told({ campaign, order, shard: null }).words}`,
        cure,
      );
  const of = parts[0]!.shard?.of ?? 1;
  const missing = Array.from({ length: of }, (_, index) => index + 1).filter(
    (number) => parts.filter(({ shard }) => shard?.of === of && shard.number === number).length !== 1,
  );
  if (of === 1 || parts.length !== of || missing.length > 0)
    throw new UsageError(
      `found ${parts.map(({ shard }) => (shard ? `shard ${shard.number}/${shard.of}` : 'a whole campaign')).join(', ')}, expected each shard of a campaign once`,
      cure,
    );
  const rows = mergedRows(parts.map(({ shard, rows: own }) => ({ shard: shard!, rows: own })));
  const ledger = schedulesLedger(join(out, 'ledger.json'), { campaign, order, shard: null });
  outputs.attempt(() => ledger.write(rows));
  const failed = rows.filter(({ found }) => found !== undefined);
  if (json)
    terminal.out(
      `${JSON.stringify({ campaign, shards: of, rows, failed: failed.length, ...outputs.json })}\n`,
    );
  for (const { row, at, found } of failed) terminal.err(`${row}, schedule ${at}: ${found}\n`);
  terminal.err(
    `${campaign}: ${rows.length} rows of ${of} shards, ${failed.length} with something wrong\nledger written: ${join(out, 'ledger.json')}\n`,
  );
  return failed.length > 0 ? exitCodes.failed : exitCodes.ok;
}

function identityOf(file: string): SchedulesIdentity {
  const identity = schedulesForm.identity.safeParse(readJson(readInput(file), file, cure));
  if (identity.success) return identity.data;
  throw new UsageError(`${file}: found something else, expected a ledger of a campaign of schedules`, cure);
}
