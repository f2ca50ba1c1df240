import { FarmError } from './farm-error.ts';

/** Where statements of SQL go. Counts are cast to `float8` by whoever asks for them, since both databases give other types for `bigint`. */
export interface Sql {
  /** Carries out one statement. Errors: rejects with what the database said. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Carries out several statements without values. */
  script(text: string): Promise<void>;
}

/** The database of a farm: PostgreSQL itself, or the one that is embedded. */
export interface Database extends Sql {
  /** How messages name it, without a password. */
  readonly place: string;
  /** True when other processes can use it at the same time. */
  readonly shared: boolean;
  /** Everything that is done with `sql`, or nothing when it throws. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** What an error of a database or of the way to it is called, if it has a name. */
const codeOf = (error: unknown): string => {
  const { code, errors } = error as { readonly code?: unknown; readonly errors?: readonly unknown[] };
  if (typeof code === 'string') return code;
  // Of several addresses of one name each may have refused.
  return errors?.[0] === undefined ? '' : codeOf(errors[0]);
};

const wordsOf = (error: unknown): string => {
  const { errors } = error as { readonly errors?: readonly unknown[] };
  if (error instanceof Error && error.message !== '') return error.message;
  return errors?.[0] === undefined ? String(error) : wordsOf(errors[0]);
};

const lostWords =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout exceeded when trying to connect|timeout expired|Cannot use a pool after)/;

/** True for what may be over after a while: a lost connection, a database that starts or stops, that is full, or in which two got in each other's way. */
export function passes(error: unknown): boolean {
  const code = codeOf(error);
  // Classes of PostgreSQL: 08 connection, 40 rollback, 53 resources, 57P its own end and beginning.
  if (/^(08|40|53|57P0[1-5])/.test(code)) return true;
  if (/^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_AGAIN|ENOTFOUND)/.test(code)) return true;
  return lostWords.test(wordsOf(error));
}

/** Causes and cures by codes of PostgreSQL, or their beginnings, and of Node. */
const causes: readonly (readonly [code: RegExp, expected: string, help: string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)/, 'a computer of that name', 'check the name in the address'],
  [
    /^(ECONN|EHOST|ENET|ETIMEDOUT|08)/,
    'a PostgreSQL that answers',
    'check that it runs, its name and its port: postgres://USER@HOST:PORT/DATABASE',
  ],
  [
    /^(28)/,
    'a user whom it lets in',
    'check user and password; the password may stand in the file ~/.pgpass',
  ],
  [/^3D000/, 'a database of that name', 'make it: createdb NAME, or give the name of another one'],
  [/^3F000|^42P01|^42703/, 'the tables of a farm', 'make them with `lockstep farm add`'],
  [
    /^42501/,
    'the right to do this',
    'as its owner: GRANT CREATE, CONNECT ON DATABASE name TO user, and for an existing farm GRANT ALL on the schemas lockstep and lockstep_queue and all that is in them',
  ],
  [
    /^53100/,
    'room on its disk',
    'make room there; what a worker has in hand is kept and tried again for a while',
  ],
  [/^53300/, 'a free connection', 'start fewer workers, or raise max_connections'],
  [/^53/, 'resources that suffice', 'give the database more of what it names'],
  [/^57P/, 'a database that goes on', 'wait until it runs again'],
];

/** What a person is told of an error of a database: where, what was found, what was expected, what helps. Errors that are none of it stay as they are. */
export function explained(error: unknown, place: string): unknown {
  if (error instanceof FarmError) return error;
  const code = codeOf(error);
  const cause =
    causes.find(([codes]) => codes.test(code)) ?? (lostWords.test(wordsOf(error)) ? causes[1] : undefined);
  if (!cause) return error;
  const [, expected, help] = cause;
  return new FarmError(
    `${place}: found "${wordsOf(error)}"${code === '' ? '' : ` (${code})`}, expected ${expected}`,
    help,
  );
}

/** How long somebody waits for a database that is gone. */
export interface Patience {
  /** Seconds until it is given up. */
  readonly seconds: number;
  /** Told when waiting begins, with what was found, and when it is over. */
  readonly tell: (words: string) => void;
  /** Asked between two attempts; then it is given up at once. */
  readonly stop?: () => boolean;
}

/** Milliseconds between two attempts, at first and at most. */
const [pauseFirst, pauseMax] = [100, 5000];

/** Does something with a database, again and again while only the database is in the way. Errors: a `FarmError` when patience has ended, and everything else at once. */
export async function patiently<T>(
  { place }: Pick<Database, 'place'>,
  { seconds, tell, stop = () => false }: Patience,
  work: () => Promise<T>,
): Promise<T> {
  const end = performance.now() + 1000 * seconds;
  let told = false;
  for (let pause = pauseFirst; ; pause = Math.min(pauseMax, 2 * pause)) {
    try {
      const done = await work();
      if (told) tell(`${place}: it goes on`);
      return done;
    } catch (error) {
      if (!passes(error) || performance.now() + pause > end || stop()) throw explained(error, place);
      if (!told && pause > pauseFirst) {
        const found = explained(error, place) as Error;
        tell(
          `${found.message}\n  it is tried again for ${Math.ceil((end - performance.now()) / 1000)} s; nothing is lost`,
        );
        told = true;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
