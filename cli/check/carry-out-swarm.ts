import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Wiring } from '../../kernel/wiring.ts';
import type { Shard } from '../../properties/explore/campaign.ts';
import { RowsLedger } from '../rows-ledger.ts';
import { threadPool } from '../threads/worker-pool.ts';
import type { ProgressOptions } from '../with-progress.ts';
import type { ScenarioExploration } from './exploration.ts';
import { MemoryLimit } from './memory-limit.ts';
import {
  type AskedSearch,
  doneOf,
  openSearchOf,
  type SearchDone,
  type SwarmIdentity,
  type SwarmOrder,
  type SwarmRow,
  swarmForm,
} from './swarm.ts';

/** What is carried out of a swarm, and how. */
export interface SwarmPlan {
  readonly order: SwarmOrder;
  readonly scenario: string;
  readonly searches: number;
  readonly shard?: Shard | undefined;
  readonly workers: number;
  /** Folder of the ledger; without one nothing is kept. */
  readonly out?: string | undefined;
  readonly keepGoing: boolean;
}

/** What a swarm came to. */
export interface SwarmEnd {
  readonly rows: readonly SwarmRow[];
  /** The finding of the search with the lowest number that found something. */
  readonly shown?: NonNullable<SearchDone['shown']>;
  readonly interrupted: boolean;
}

/** What a ledger of a plan is of. */
const identityOf = ({ order, scenario, searches, shard }: SwarmPlan): SwarmIdentity => {
  const { file: _, text, memory: __, clock: ___, refines: ____, ...how } = order;
  return {
    scenario,
    text: createHash('sha256').update(text).digest('hex').slice(0, 16),
    searches,
    order: Object.fromEntries(Object.entries(how).filter(([, value]) => value !== undefined)) as Record<
      string,
      string | number | boolean
    >,
    shard: shard ?? null,
  };
};

const sliceDeliveries = 2_000;

/**
 * Carries out the searches of a swarm that are not in its ledger yet; stops at the first finding unless it is to keep going.
 *
 * Errors: `UsageError` for a ledger of something else; what a search throws.
 */
export async function carryOutSwarm(
  plan: SwarmPlan,
  { make, options }: { readonly make: () => Wiring } & Pick<ScenarioExploration, 'options'>,
  { onProgress, shouldStop, turn }: ProgressOptions,
): Promise<SwarmEnd> {
  const { order, searches, shard = { number: 1, of: 1 }, workers, keepGoing } = plan;
  const ledger =
    plan.out === undefined
      ? undefined
      : new RowsLedger(join(plan.out, 'ledger.json'), swarmForm, identityOf(plan));
  const rows = new Map((ledger?.read() ?? []).map((row) => [row.search, row]));
  const left = Array.from({ length: searches }, (_, search) => search).filter(
    (search) => search % shard.of === shard.number - 1 && !rows.has(search),
  );
  const found = new Map<number, NonNullable<SearchDone['shown']>>();
  const sum = (figure: (row: SwarmRow) => number) =>
    [...rows.values()].reduce((total, row) => total + figure(row), 0);
  const keep = ({ row, shown }: SearchDone) => {
    rows.set(row.search, row);
    if (shown) found.set(row.search, shown);
    ledger?.keep(rows.values());
    onProgress(
      sum(({ states }) => states),
      sum(({ transitions }) => transitions),
    );
  };
  const hasFound = () => [...rows.values()].some((row) => row.found !== undefined);
  const isEnough = () => shouldStop() || (!keepGoing && hasFound());
  const limit = new MemoryLimit();
  const alone = async () => {
    for (const search of left) {
      if (isEnough()) return;
      const swarm = openSearchOf(make, options, order, search);
      while (swarm.go(sliceDeliveries)) {
        const { states, transitions } = swarm.figures;
        onProgress(states + sum((row) => row.states), transitions + sum((row) => row.transitions));
        await turn();
        // What is begun and not done is not kept.
        if (shouldStop() || limit.reached) return;
      }
      keep(doneOf(search, swarm));
    }
  };
  const together = async () => {
    const pool = threadPool<AskedSearch, SearchDone>('cli/check/swarm-serve', order, workers);
    // Looks for an interrupt also while all threads are at work.
    let stop: () => void = () => {};
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const looking = setInterval(() => isEnough() && stop(), 100);
    const one = async () => {
      for (let search = left.shift(); search !== undefined && !isEnough(); search = left.shift())
        keep(await pool.run({ search, count: 1 }));
    };
    try {
      await Promise.race([Promise.all(Array.from({ length: workers }, one)), stopped]);
    } finally {
      clearInterval(looking);
      await pool.end();
    }
  };
  const anew = (search: number) => {
    const swarm = openSearchOf(make, options, order, search);
    while (swarm.go(Number.MAX_SAFE_INTEGER));
    return swarm.finding;
  };
  try {
    await (workers === 1 ? alone() : together());
  } finally {
    ledger?.write(rows.values());
  }
  const first = [...rows.values()].filter((row) => row.found !== undefined).map(({ search }) => search);
  const search = Math.min(...first);
  // What an earlier call has found is found again: a search depends on nothing but its number.
  const shown = first.length === 0 ? undefined : (found.get(search) ?? anew(search));
  return { rows: [...rows.values()], interrupted: shouldStop(), ...(shown && { shown }) };
}
