import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

/** Address of the PostgreSQL that `.ci/run` starts for tests (postgres.sh), or anybody in the same variable; undefined elsewhere. */
export const sharedInstance: string | undefined = process.env['LOCKSTEP_POSTGRES'];

const script = resolve('farm/testing/postgres.sh');

/** A PostgreSQL of one's own, which can be stopped and started. */
export interface OwnInstance {
  readonly folder: string;
  readonly address: string;
}

export function startInstance(): OwnInstance {
  const [folder, address] = execFileSync(script, ['start'], { encoding: 'utf8' }).trim().split(' ');
  return { folder: folder!, address: address! };
}

/** Stops it as a crash does, and starts it again. */
export const restartInstance = ({ folder }: OwnInstance): void => {
  execFileSync(script, ['restart', folder]);
};

export const stopInstance = ({ folder }: OwnInstance): void => {
  execFileSync(script, ['stop', folder]);
};
