import type { DmacContext } from '../../actors/tca/dmac.ts';
import { component } from '../../kernel/kit.ts';
import type { Mutants } from '../mutant.ts';
import type { TcaParts } from './assembly.ts';

const d = component<DmacContext, { readonly type: string }>();

/** Planted faults of TCA nodes, by id (TCA specification 21, A7). */
export const tcaMutants: Mutants<TcaParts> = new Map([
  [
    'T-01',
    {
      sentence: 'a descriptor is fetched without a free tag',
      mutate: (parts: TcaParts): TcaParts => ({
        ...parts,
        dmac: parts.dmac.provide({
          guards: {
            noTag: d.when((c) => c.free === 0 && c.read < c.reads.length) as never,
          },
        }) as TcaParts['dmac'],
      }),
    },
  ],
]);
