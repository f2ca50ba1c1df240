import type { Address } from '../../../kernel/message.ts';

/** The engines of some CPEs, each once, with those of the CPEs that it serves: one message goes to each (specification 8.4, Multicast). */
export const byEngine = (
  engines: readonly Address[],
  tids: readonly number[],
): readonly { readonly engine: Address; readonly tids: readonly number[] }[] =>
  [...new Set(tids.map((one) => engines[one]!))].map((engine) => ({
    engine,
    tids: tids.filter((one) => engines[one] === engine),
  }));
