import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite, Transaction } from '@electric-sql/pglite';
import { outputError } from '../scenarios/output-error.ts';
import { makeFolders } from '../scenarios/output-file.ts';
import type { Database, Sql } from './database.ts';
import { FarmError, noFarmIn } from './farm-error.ts';

/**
 * Opens the embedded PostgreSQL (PGlite) in a folder; `makes` one where there is none.
 *
 * Gotchas: one process at a time; it is locked while it is open. Errors: `FarmError` when another process has it, when the library is missing, and when the folder is none of
 * it; `OutputError` when it cannot be written.
 */
export async function openEmbedded(folder: string, makes: boolean): Promise<Database> {
  if (!makes && !existsSync(join(folder, 'database', 'PG_VERSION'))) throw noFarmIn(folder);
  const PGlite = await library();
  const release = locked(folder);
  try {
    const pglite = await PGlite.create(join(folder, 'database'));
    return new Embedded(pglite, folder, release);
  } catch (error) {
    release();
    throw new FarmError(
      `${folder}: found "${error instanceof Error ? error.message : String(error)}", expected a folder with the embedded database, or none`,
      'give another folder with --folder, or delete this one to begin anew',
    );
  }
}

async function library(): Promise<typeof PGlite> {
  try {
    return (await import('@electric-sql/pglite')).PGlite;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new FarmError(
      'found no embedded database, expected the package @electric-sql/pglite or --database',
      'install it: npm install @electric-sql/pglite, or give the address of a PostgreSQL: --database postgres://user@localhost:5432/farm',
    );
  }
}

class Embedded implements Database {
  readonly shared = false;
  readonly #pglite: PGlite;
  readonly #release: () => void;
  constructor(
    pglite: PGlite,
    readonly place: string,
    release: () => void,
  ) {
    this.#pglite = pglite;
    this.#release = release;
  }

  query = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    queried<Row>(this.#pglite, text, values);

  async script(text: string): Promise<void> {
    await this.#pglite.exec(text);
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#pglite.transaction((transaction) =>
      work({
        query: (text, values = []) => queried(transaction, text, values),
        script: async (text) => {
          await transaction.exec(text);
        },
      }),
    );
  }

  async close(): Promise<void> {
    await this.#pglite.close();
    this.#release();
  }
}

async function queried<Row extends object>(
  client: Pick<PGlite | Transaction, 'query'>,
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  return (await client.query<Row>(text, [...values])).rows;
}

/** Locks a folder by a file with the number of this process. Errors: `FarmError` while another process has it, `OutputError`. */
function locked(folder: string): () => void {
  try {
    makeFolders(folder);
  } catch (error) {
    throw outputError(folder, error);
  }
  const file = join(folder, 'in-use');
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw outputError(file, error);
    }
    const owner = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    if (owner > 0 && isAlive(owner))
      throw new FarmError(
        `${folder}: found process ${owner} in it, expected nobody: the embedded database is for one process at a time`,
        'wait for it; for several processes use PostgreSQL: --database postgres://user@localhost:5432/farm',
      );
    // Its owner was killed.
    rmSync(file, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
