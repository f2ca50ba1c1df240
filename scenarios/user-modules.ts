import { register as addHooks } from 'node:module';

let plain: Promise<void> | undefined;
let typed: Promise<void> | undefined;

/**
 * Makes modules of users loadable: what they import as `lockstep` is the one that runs, and TypeScript is understood. The sources of Lockstep run where all this is
 * done already. `path`: file of the module.
 */
export function loadsUserModules(path: string): Promise<void> {
  if (import.meta.url.endsWith('.ts')) return Promise.resolve();
  if (!/\.[cm]?tsx?$/.test(path)) {
    plain ??= typed ?? sharesLockstep();
    return plain;
  }
  typed ??= (async () => {
    const { register } = await import('tsx/esm/api');
    register();
    // Added last, asked first: settings of TypeScript may know another `lockstep`.
    await sharesLockstep();
  })();
  return typed;
}

async function sharesLockstep(): Promise<void> {
  addHooks('./hooks.mjs', import.meta.url, { data: { home: new URL('../', import.meta.url).href } });
}
