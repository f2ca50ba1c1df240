import { z } from 'zod';
import { CardinalitySketch } from '../../kernel/explore/cardinality-sketch.ts';
import type { ExploreOptions, ShownFinding } from '../../kernel/explore/explorer.ts';
import { type SwarmFigures, SwarmSearch } from '../../kernel/explore/swarm-search.ts';
import { mixSeed } from '../../kernel/mix-seed.ts';
import type { Wiring } from '../../kernel/wiring.ts';
import { judgedScenario } from '../../properties/judged-scenario.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { columns, percent } from '../columns.ts';
import { knownMachines } from '../known-machines.ts';
import { grouped } from '../progress.ts';
import type { LedgerForm } from '../rows-ledger.ts';
import { loadConstraint } from './constraint.ts';
import { explorationOf } from './exploration.ts';
import type { CheckOrder } from './order.ts';

/** What a search of a swarm is asked for: its number, from 0. */
export interface AskedSearch {
  readonly search: number;
  readonly count: 1;
}

/** What one search came to; `sketch` tells the states of several apart. */
export interface SwarmRow extends SwarmFigures {
  readonly search: number;
  /** Registers of a `CardinalitySketch`, in base 64. */
  readonly sketch: string;
  /** What it found, in words. */
  readonly found?: string | undefined;
}

/** A row with what was found, as a run can show it. */
export interface SearchDone {
  readonly row: SwarmRow;
  readonly shown?: ShownFinding;
}

/** A swarm in words that another thread can be told. */
export interface SwarmOrder extends CheckOrder {
  readonly seed: number;
  /** Bytes of the bit array of a search. */
  readonly bytes: number;
  readonly depthMax: number;
  readonly searchStatesMax: number;
}

/** The least memory of a search, in bytes: a bit array of 32 bits. */
const bytesMin = 4;

/** How the searches of a swarm go, by their numbers: each with another seed, and to the depth asked for, a half, a quarter and an eighth of it in turn. */
const optionsOf = ({ seed, bytes, depthMax, searchStatesMax }: SwarmOrder, search: number) => ({
  seed: mixSeed(seed, search),
  bits: 2 ** Math.floor(Math.log2(8 * Math.max(bytesMin, bytes))),
  depthMax: Math.max(1, Math.ceil(depthMax / 2 ** (search % 4))),
  searchStatesMax,
});

/** Begins a search. */
export const openSearchOf = (
  make: () => Wiring,
  options: ExploreOptions,
  order: SwarmOrder,
  search: number,
): SwarmSearch => {
  const { symmetry: _, cycles: __, findingsMax: ___, kindOf: ____, ...rest } = options;
  return new SwarmSearch(make, { ...rest, ...optionsOf(order, search) });
};

/** What a search came to, when it is over. */
export function doneOf(search: number, swarm: SwarmSearch): SearchDone {
  const { finding: shown } = swarm;
  const found = shown && `${shown.finding.verdict}: ${shown.finding.what}`;
  const sketch = Buffer.from(swarm.sketch.registers).toString('base64');
  return {
    row: { search, ...swarm.figures, sketch, ...(found !== undefined && { found }) },
    ...(shown && { shown }),
  };
}

/** In a thread: carries out searches to their ends. */
export async function searchesOf(order: SwarmOrder): Promise<(asked: AskedSearch) => SearchDone> {
  const { file, text, clock: _, ...how } = order;
  const loaded = await judgedScenario(await parseScenario(text, file, await knownMachines()));
  const constraint = how.constraint === undefined ? undefined : await loadConstraint(how.constraint);
  const { make, options } = explorationOf(loaded, { ...how, shared: true }, constraint);
  return ({ search }) => {
    const swarm = openSearchOf(make, options, order, search);
    while (swarm.go(Number.MAX_SAFE_INTEGER));
    return doneOf(search, swarm);
  };
}

/** Of what a ledger of a swarm is: equal ones have equal searches. */
export interface SwarmIdentity {
  readonly scenario: string;
  /** Hash of the text of the scenario. */
  readonly text: string;
  readonly searches: number;
  /** What else decides how a search goes. */
  readonly order: Readonly<Record<string, string | number | boolean>>;
  readonly shard: { readonly number: number; readonly of: number } | null;
}

/** What ledgers of swarms are written as. */
export const swarmForm: LedgerForm<SwarmIdentity, SwarmRow> = {
  format: 'lockstep-swarm/1',
  identity: z.object({
    scenario: z.string(),
    text: z.string(),
    searches: z.int().min(1),
    order: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    shard: z.object({ number: z.int().min(1), of: z.int().min(1) }).nullable(),
  }),
  row: z.strictObject({
    search: z.int().min(0),
    states: z.int().min(0),
    transitions: z.int().min(0),
    depth: z.int().min(0),
    exhausted: z.boolean(),
    sketch: z.base64(),
    found: z.string().exactOptional(),
  }),
  told: ({ scenario, searches, order, shard }) => {
    const words = Object.entries(order).map(([name, value]) => `${name} ${value}`);
    const part = shard ? `, shard ${shard.number}/${shard.of}` : '';
    return {
      words: `a swarm of ${searches} over ${scenario} with ${words.join(', ')}${part}`,
      options: 'the options that it had',
    };
  },
};

/** How many states the first so many searches went on from together. */
export interface Covered {
  readonly searches: number;
  readonly states: number;
  /** Share of all that there are, where that is known. */
  readonly share?: number;
}

/** What the first 1, 2, 4 … and all of the searches have covered together, in the order of their numbers. `known`: how many states there are. */
export function coveredBy(rows: readonly SwarmRow[], known?: number): readonly Covered[] {
  const sketch = new CardinalitySketch();
  const covered: Covered[] = [];
  [...rows]
    .sort((one, other) => one.search - other.search)
    .forEach(({ sketch: text }, index) => {
      sketch.join(new CardinalitySketch(Uint8Array.from(Buffer.from(text, 'base64'))));
      const searches = index + 1;
      if (searches !== rows.length && !Number.isInteger(Math.log2(searches))) return;
      const states = sketch.estimate;
      covered.push({ searches, states, ...(known !== undefined && { share: Math.min(1, states / known) }) });
    });
  return covered;
}

/** Searches that a table lists one by one. */
const listedMax = 32;

/** A swarm for people. */
export function swarmText(rows: readonly SwarmRow[], searches: number, known?: number): string {
  const listed = [...rows].sort((one, other) => one.search - other.search).slice(0, listedMax);
  const more = rows.length > listed.length ? [`… and ${grouped(rows.length - listed.length)} more`] : [];
  const figures = ['search', 'states', 'transitions', 'depth'];
  const table = columns(
    [
      [...figures, 'ended'],
      ...listed.map(({ search, states, transitions, depth, exhausted, found }) => [
        `${search + 1}`,
        grouped(states),
        grouped(transitions),
        grouped(depth),
        found ?? (exhausted ? 'nothing left' : 'states'),
      ]),
    ],
    (_cell, column) => column < figures.length,
  );
  const covered = columns(
    [
      ['searches', 'states', ...(known === undefined ? [] : [`of ${grouped(known)}`])],
      ...coveredBy(rows, known).map(({ searches: count, states, share }) => [
        grouped(count),
        grouped(states),
        ...(share === undefined ? [] : [percent(share)]),
      ]),
    ],
    () => true,
  );
  return [
    `${grouped(rows.length)} of ${grouped(searches)} searches`,
    ...table,
    ...more,
    'different states that they went on from together, within some 2 %:',
    ...covered,
  ].join('\n');
}
