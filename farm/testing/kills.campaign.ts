import { mkdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openPostgres } from '../postgres.ts';
import { startInstance, stopInstance } from './instance.ts';
import { freshDatabase, lockstep, workWhileKilled } from './killed-farm.ts';

/*
 * `npm run campaign:farm`: a campaign on a PostgreSQL that is stopped and started, by workers that are killed, beside the same campaign in one process.
 */

const { values } = parseArgs({
  options: {
    what: { type: 'string', default: 'scenarios/library/snapshot-unordered.yaml' },
    runs: { type: 'string', default: '1000000' },
    workers: { type: 'string', default: '4' },
    'kill-seconds': { type: 'string', default: '5' },
    restarts: { type: 'string', default: '2' },
    'restart-seconds': { type: 'string', default: '60' },
  },
});
const { what, runs } = values;
const instance = startInstance();
process.on('exit', () => stopInstance(instance));
const database = await freshDatabase(instance.address, 'farm');
mkdirSync('out/farm-kills', { recursive: true });
const own = (...args: string[]) => {
  const done = lockstep(...args);
  if (done.code !== 0 && done.code !== 1) throw new Error(`${args.join(' ')}: ${done.err}`);
  return done;
};
own('farm', 'add', what, '--runs', runs, '--database', database, '--lease', '20');
const disturbed = await workWhileKilled({
  address: database,
  instance,
  workers: Number(values.workers),
  killMilliseconds: 1000 * Number(values['kill-seconds']),
  killsMax: Number.POSITIVE_INFINITY,
  restarts: Number(values.restarts),
  restartMilliseconds: 1000 * Number(values['restart-seconds']),
  seed: 1,
  secondsMax: Number.POSITIVE_INFINITY,
  tell: (words) => console.log(words),
});
const sql = await openPostgres(database);
const [counted] = await sql.query<{ runs: number; ranges: number; twice: number; back: number }>(
  `SELECT sum(runs)::float8 AS runs, count(*)::float8 AS ranges, (SELECT count(*)::float8 FROM lockstep.miscounted) AS twice,
     (SELECT sum(given_back)::float8 FROM lockstep.jobs) AS back FROM lockstep.result`,
);
await sql.close();
console.log({ ...disturbed, ...counted });
console.log(own('farm', 'status', '1', '--ledger', 'out/farm-kills/farm.json', '--database', database).err);
const began = performance.now();
own('fuzz', what, '--runs', runs, '--keep-going', '--out', 'out/farm-kills/alone');
console.log(`one process: ${((performance.now() - began) / 1000).toFixed(0)} s`);
const [farm, alone] = ['farm.json', 'alone/ledger.json'].map((file) =>
  readFileSync(`out/farm-kills/${file}`, 'utf8'),
);
console.log(farm === alone ? 'the ledgers are the same, byte for byte' : 'THE LEDGERS DIFFER');
process.exitCode = farm === alone && counted?.twice === 0 && counted.runs === Number(runs) ? 0 : 1;
