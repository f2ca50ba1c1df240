import type { Pool as PgPool } from 'pg';
import { type Database, explained, type Sql } from './database.ts';
import { FarmError } from './farm-error.ts';

/** Milliseconds after which an answer is no longer expected: the connection is taken for lost. */
const answerMilliseconds = 60_000;
const connectMilliseconds = 10_000;

/** Connects to PostgreSQL. Errors: `FarmError` for an address that is none, and when nobody answers or lets us in. */
export async function openPostgres(address: string, connections = 4): Promise<Database> {
  const place = withoutPassword(address);
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: address,
    max: connections,
    keepAlive: true,
    connectionTimeoutMillis: connectMilliseconds,
    query_timeout: answerMilliseconds,
    application_name: 'lockstep farm',
  });
  // A connection that is lost while nobody uses it is replaced when somebody does.
  pool.on('error', () => {});
  const database = new Postgres(pool, place);
  try {
    await database.query('SELECT 1');
  } catch (error) {
    await pool.end();
    throw explained(error, place);
  }
  return database;
}

class Postgres implements Database {
  readonly shared = true;
  readonly #pool: PgPool;
  constructor(
    pool: PgPool,
    readonly place: string,
  ) {
    this.#pool = pool;
  }

  query = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    queried<Row>(this.#pool, text, values);

  async script(text: string): Promise<void> {
    await this.#pool.query(text);
  }

  async transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    // Without a listener a connection that breaks ends the process.
    const ignore = () => {};
    client.on('error', ignore);
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const done = await work({
        query: (text, values = []) => queried(client, text, values),
        script: async (text) => {
          await client.query(text);
        },
      });
      await client.query('COMMIT');
      return done;
    } catch (error) {
      await client.query('ROLLBACK').catch((lost: Error) => {
        broken = lost;
      });
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

async function queried<Row extends object>(
  client: { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> },
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const { rows } = await client.query(text, [...values]);
  return rows as Row[];
}

/** An address as messages show it. Errors: `FarmError` for one that is none. */
function withoutPassword(address: string): string {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    url = new URL('none:');
  }
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')
    throw new FarmError(
      `--database: found "${address.replace(/:[^:@/]*@/, ':…@')}", expected the address of a PostgreSQL`,
      'for example --database postgres://user@localhost:5432/farm; without --database the embedded one is used',
    );
  url.password = '';
  return url.href;
}
