/** The PostgreSQL that `.ci/run` starts for tests (postgres.sh), or anybody with the same variables; undefined elsewhere. */
export const instance = ((): { readonly folder: string; readonly address: string } | undefined => {
  const { LOCKSTEP_POSTGRES: address, LOCKSTEP_POSTGRES_FOLDER: folder } = process.env;
  return address === undefined || folder === undefined ? undefined : { address, folder };
})();
