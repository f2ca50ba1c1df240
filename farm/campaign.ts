import { z } from 'zod';
import { type CampaignIdentity, ledgerSchema } from '../properties/explore/ledger.ts';
import type { Database, Sql } from './database.ts';
import { FarmError } from './farm-error.ts';
import type { Queue, Range } from './queue.ts';

/** Modules and files of a user's project, so that a campaign can be carried out elsewhere. */
export interface Bundle {
  readonly hash: string;
  /** What the hash is of. */
  readonly files: BundleFiles;
}

export interface BundleFiles {
  /** Folder in which the command was called, from the folder that the paths begin in. */
  readonly folder: string;
  readonly texts: readonly (readonly [path: string, text: string])[];
}

/** What is known of a campaign before it is added. */
export interface NewCampaign {
  /** As the user named it. */
  readonly what: string;
  readonly identity: CampaignIdentity;
  /** What runners make the campaign of. */
  readonly subject: unknown;
  readonly bundle: Bundle | undefined;
  readonly runs: number;
  /** Runs of one range. */
  readonly rangeRuns: number;
  readonly leaseSeconds: number;
  /** Fingerprint of the end of run 0. */
  readonly firstEnd: string;
}

/** A campaign of a farm. */
export interface FarmCampaign {
  readonly id: number;
  readonly what: string;
  readonly version: string;
  readonly identity: CampaignIdentity;
  readonly subject: unknown;
  readonly bundle: string | null;
  readonly runs: number;
  readonly leaseSeconds: number;
  readonly firstEnd: string;
}

/** Ranges that go into the queue at once. */
const insertedMax = 2000;

/** Adds a campaign with the jobs for all its runs, or nothing; gives its number. */
export function addCampaign(database: Database, queue: Queue, campaign: NewCampaign): Promise<number> {
  const { what, identity, subject, bundle, runs, leaseSeconds, firstEnd } = campaign;
  return database.transaction(async (sql) => {
    if (bundle)
      await sql.query('INSERT INTO lockstep.bundle VALUES ($1, $2::jsonb) ON CONFLICT DO NOTHING', [
        bundle.hash,
        JSON.stringify(bundle.files),
      ]);
    const [added] = await sql.query<{ id: number }>(
      `INSERT INTO lockstep.campaign (what, version, identity, subject, bundle, runs, lease_seconds, first_end)
       VALUES ($1, $2, $3::jsonb, $4::jsonb, $5, $6, $7, $8) RETURNING id`,
      [
        what,
        identity.version,
        JSON.stringify(identity),
        JSON.stringify(subject),
        bundle?.hash ?? null,
        runs,
        leaseSeconds,
        firstEnd,
      ],
    );
    const ranges = [...rangesOf(added!.id, campaign)];
    for (let at = 0; at < ranges.length; at += insertedMax)
      await queue.add(sql, ranges.slice(at, at + insertedMax), leaseSeconds);
    return added!.id;
  });
}

function* rangesOf(campaign: number, { runs, rangeRuns, bundle }: NewCampaign): Generator<Range> {
  for (let first = 0; first < runs; first += rangeRuns)
    yield {
      campaign,
      first,
      runs: Math.min(rangeRuns, runs - first),
      generation: 0,
      bundle: bundle?.hash ?? null,
    };
}

const identitySchema = ledgerSchema.shape.campaign;

/** The campaign of a number. Errors: `FarmError` when there is none. */
export async function campaignOf(sql: Sql & Pick<Database, 'place'>, id: number): Promise<FarmCampaign> {
  const [found] = await sql.query<FarmCampaign>(
    `SELECT id, what, version, identity, subject, bundle, runs::float8 AS runs, lease_seconds AS "leaseSeconds", first_end AS "firstEnd"
     FROM lockstep.campaign WHERE id = $1`,
    [id],
  );
  if (!found) {
    const [known] = await sql.query<{ ids: string | null }>(
      "SELECT string_agg(id::text, ', ' ORDER BY id) AS ids FROM lockstep.campaign",
    );
    throw new FarmError(
      `${sql.place}: found no campaign ${id}, expected one of ${known?.ids ?? 'none, since none was added yet'}`,
      'list them: lockstep farm status',
    );
  }
  return { ...found, identity: identitySchema.parse(found.identity) };
}

const bundleSchema = z.strictObject({
  folder: z.string(),
  texts: z.array(z.tuple([z.string(), z.string()])),
});

/** The modules of a hash. */
export async function bundleFilesOf(sql: Sql, hash: string): Promise<BundleFiles> {
  const [found] = await sql.query<{ files: unknown }>('SELECT files FROM lockstep.bundle WHERE hash = $1', [
    hash,
  ]);
  return bundleSchema.parse(found?.files);
}

/** Puts the refused ranges of a campaign back into the queue; gives the number of their runs. */
export function retryRefused(database: Database, queue: Queue, campaign: FarmCampaign): Promise<number> {
  return database.transaction(async (sql) => {
    const refused = await sql.query<Pick<Range, 'first' | 'runs' | 'generation'>>(
      'DELETE FROM lockstep.refused WHERE campaign = $1 RETURNING first::float8 AS first, runs, generation',
      [campaign.id],
    );
    const ranges = refused.map((one) => ({ ...one, campaign: campaign.id, bundle: campaign.bundle }));
    if (ranges.length > 0) await queue.add(sql, ranges, campaign.leaseSeconds);
    return ranges.reduce((sum, { runs }) => sum + runs, 0);
  });
}
