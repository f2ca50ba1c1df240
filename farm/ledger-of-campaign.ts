import { type Coverage, coverageKinds, emptyCoverage, mergeCoverage } from '../kernel/coverage.ts';
import { Distinct } from '../properties/explore/distinct.ts';
import { Ledger, ledgerSchema, sumOf } from '../properties/explore/ledger.ts';
import { campaignOf } from './campaign.ts';
import type { Database, Sql } from './database.ts';
import { FarmError } from './farm-error.ts';
import { cutKind, judgedKind } from './take-in.ts';

/** Ranges that are read at once. */
const readMax = 500;
/** Kinds of failures that a ledger tells apart. */
const kindsMax = 100;

/** The ledger of a campaign as one process would have kept it. Errors: `FarmError` when the runs that are done are not the first ones yet. */
export async function ledgerOfCampaign(database: Database, id: number): Promise<Ledger> {
  const { identity } = await campaignOf(database, id);
  const ends = new Distinct();
  let [runs, deliveries] = [0, 0];
  let lastEnd = '';
  for (;;) {
    const some = await database.query<{ first: number; runs: number; deliveries: number; ends: Uint8Array }>(
      `SELECT first::float8 AS first, runs, deliveries::float8 AS deliveries, ends FROM lockstep.result
       WHERE campaign = $1 AND first >= $2 ORDER BY first LIMIT ${readMax}`,
      [id, runs],
    );
    for (const range of some) {
      if (range.first !== runs)
        throw new FarmError(
          `${database.place}: found that the runs ${runs} to ${range.first - 1} of campaign ${id} are not done, expected all before run ${range.first}`,
          'a ledger has the first runs of a campaign: wait until all are done; `lockstep farm status` tells how far it is',
        );
      runs += range.runs;
      deliveries += range.deliveries;
      const words = new DataView(range.ends.buffer, range.ends.byteOffset, range.ends.byteLength);
      for (let at = 0; at < words.byteLength; at += 8) ends.add(words.getUint32(at), words.getUint32(at + 4));
      lastEnd = Buffer.from(range.ends.subarray(-8)).toString('hex');
    }
    if (some.length < readMax) break;
  }
  const found = await findingsIn(database, id);
  return Ledger.of(
    ledgerSchema.parse({
      format: 'lockstep-ledger/1',
      campaign: identity,
      runs,
      deliveries,
      lastEnd,
      findings: found.slice(0, kindsMax),
      furtherFailures: found
        .slice(kindsMax)
        .flatMap(({ by }) => by)
        .reduce((sum, { failures }) => sum + failures, 0),
      judged: await judgedIn(database, id),
      cut: await cutIn(database, id),
      coverage: identity.coverage ? await coverageIn(database, id, runs) : emptyCoverage,
      ends: ends.save(),
    }),
  );
}

interface FoundIn {
  readonly verdict: string;
  readonly what: string;
  readonly by: readonly { readonly strategy: string; readonly first: number; readonly failures: number }[];
}

/** In the order of their first runs. */
async function findingsIn(sql: Sql, id: number): Promise<readonly FoundIn[]> {
  const rows = await sql.query<{
    id: number;
    verdict: string;
    what: string;
    strategy: string;
    first: number;
    failures: number;
  }>(
    `SELECT id, verdict, what, strategy, detection.first::float8 AS first, failures::float8 AS failures
     FROM lockstep.finding JOIN lockstep.detection ON finding = id WHERE campaign = $1 ORDER BY finding.first, detection.first`,
    [id],
  );
  const found = new Map<number, FoundIn & { by: FoundIn['by'][number][] }>();
  for (const { id: finding, verdict, what, strategy, first, failures } of rows) {
    const known = found.get(finding) ?? { verdict, what, by: [] };
    found.set(finding, known);
    known.by.push({ strategy, first, failures });
  }
  return [...found.values()];
}

async function judgedIn(sql: Sql, id: number): Promise<Readonly<Record<string, number>>> {
  const rows = await sql.query<{ name: string; runs: number }>(
    'SELECT name, runs::float8 AS runs FROM lockstep.coverage WHERE campaign = $1 AND kind = $2',
    [id, judgedKind],
  );
  // Sorts what the database gives in no order.
  return sumOf({}, Object.fromEntries(rows.map(({ name, runs }) => [name, runs])));
}

/** None where no run was cut. */
async function cutIn(sql: Sql, id: number): Promise<number> {
  const [row] = await sql.query<{ runs: number }>(
    'SELECT runs::float8 AS runs FROM lockstep.coverage WHERE campaign = $1 AND kind = $2',
    [id, cutKind],
  );
  return row?.runs ?? 0;
}

async function coverageIn(sql: Sql, id: number, runs: number): Promise<Coverage> {
  const rows = await sql.query<{ kind: string; type: string; name: string; times: number; runs: number }>(
    'SELECT kind, type, name, times::float8 AS times, runs::float8 AS runs FROM lockstep.coverage WHERE campaign = $1',
    [id],
  );
  const kinds = Object.fromEntries(
    coverageKinds.map((kind) => {
      const types: Record<string, Record<string, [number, number]>> = {};
      for (const row of rows)
        if (row.kind === kind) {
          types[row.type] ??= {};
          if (row.name !== '') types[row.type]![row.name] = [row.times, row.runs];
        }
      return [kind, types];
    }),
  );
  // Sorts what the database gives in no order.
  return mergeCoverage(emptyCoverage, { ...emptyCoverage, ...kinds, runs });
}
