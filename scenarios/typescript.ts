import { register as addHooks } from 'node:module';

let ready: Promise<void> | undefined;

/** Makes TypeScript modules of users loadable. The sources of Lockstep run where they are already. */
export function loadsTypeScript(): Promise<void> {
  if (import.meta.url.endsWith('.ts')) return Promise.resolve();
  ready ??= (async () => {
    const { register } = await import('tsx/esm/api');
    register();
    addHooks('./hooks.mjs', import.meta.url);
  })();
  return ready;
}
