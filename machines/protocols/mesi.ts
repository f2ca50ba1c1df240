import { z } from 'zod';
import { cache } from '../../actors/protocols/mesi-cache.ts';
import { directory } from '../../actors/protocols/mesi-directory.ts';
import { mesiProtocol } from '../../actors/protocols/mesi-protocol.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { mutantSentences, withMutants } from '../mutant.ts';
import { type MesiParts, mesiMutants } from './mesi-mutants.ts';
import { noPrograms } from './no-programs.ts';

const config = z.strictObject({
  caches: z.int().min(1).max(16).default(3).describe('caches that share the line'),
});

/** Configuration of MESI. */
export type MesiConfig = z.output<typeof config>;

/** How the line stands. */
export interface MesiResult {
  /** States of the caches. */
  readonly caches: readonly string[];
  readonly directory: string;
}

/** Caches that keep copies of one line of memory coherent. */
export const mesi: Machine<MesiConfig, readonly unknown[], MesiResult> = {
  name: 'mesi',
  config,
  programs: noPrograms,
  mutants: mutantSentences(mesiMutants),
  asynchronous: true,
  protocol: mesiProtocol,
  symmetric: 'Cache',
  assemble: ({ config: { caches }, mutants }) => {
    const parts = withMutants<MesiParts>({ cache, directory }, mesiMutants, mutants);
    const wiring = new Wiring({});
    const names = mesiProtocol.roles.Cache.reserve(wiring, caches);
    const home = wiring.place('Directory', parts.directory, undefined);
    for (const at of names) wiring.place(at, parts.cache, { directory: home });
    return {
      wiring,
      result: (run) => {
        const states = run.state.actors.map(({ state }) => state);
        return { caches: states.slice(0, caches), directory: states[caches]! };
      },
    };
  },
  figures: ({ caches, directory: state }) => [
    { label: 'caches', value: caches.join(', ') },
    { label: 'directory', value: state },
  ],
};
