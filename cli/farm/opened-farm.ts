import type { Command } from 'commander';
import type { Database } from '../../farm/database.ts';
import { lockstepVersion } from '../../scenarios/version.ts';
import { shellWord } from '../shell-word.ts';
import { farmFolder } from './findings-folder.ts';

/** Where a farm has its database. */
export interface FarmPlace {
  readonly database?: string;
  readonly folder: string;
}

/** Declares the options that say where. */
export const declareFarmPlace = (command: Command): Command =>
  command
    .option('--database <url>', 'PostgreSQL of the farm: postgres://USER@HOST:PORT/DATABASE')
    .option('--folder <dir>', 'where the embedded database lies when there is no --database', farmFolder);

/** The options that say so, for a command that is shown; an address may hold a password. */
export function placeWords({ database, folder }: FarmPlace): string {
  if (database !== undefined) return ' --database …';
  return folder === farmFolder ? '' : ` --folder ${shellWord(folder)}`;
}

/** Does something with the database of a farm, which is closed in any case; `makes` one in a folder that has none. Errors: `FarmError`. */
export async function withDatabase<T>(
  { database: address, folder }: FarmPlace,
  { connections, makes }: { readonly connections: number; readonly makes: boolean },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  // Loaded when a farm is asked for, since others need neither.
  const database =
    address === undefined
      ? await (await import('../../farm/embedded.ts')).openEmbedded(folder, makes)
      : await (await import('../../farm/postgres.ts')).openPostgres(address, connections);
  try {
    return await work(database);
  } catch (error) {
    const { explained } = await import('../../farm/database.ts');
    throw explained(error, database.place);
  } finally {
    await database.close();
  }
}

/** The same with the tables of this version, which are made or brought up to date, and with the queue. */
export const withFarm = <T>(
  place: FarmPlace,
  { connections = 2, makes = false },
  work: (database: Database, queue: import('../../farm/queue.ts').Queue) => Promise<T>,
): Promise<T> =>
  withDatabase(place, { connections, makes }, async (database) => {
    const { migrate } = await import('../../farm/schema.ts');
    const { Queue } = await import('../../farm/queue.ts');
    await migrate(database, async () => {
      await (await Queue.open(database, lockstepVersion)).close();
    });
    const queue = await Queue.open(database, lockstepVersion);
    try {
      return await work(database, queue);
    } finally {
      await queue.close();
    }
  });

/** The same for who only reads: tables of another version are refused. */
export const readingFarm = <T>(place: FarmPlace, work: (database: Database) => Promise<T>): Promise<T> =>
  withDatabase(place, { connections: 1, makes: false }, async (database) => {
    const { demandVersion } = await import('../../farm/schema.ts');
    await demandVersion(database);
    return work(database);
  });
