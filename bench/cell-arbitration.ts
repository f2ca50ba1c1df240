import { readFileSync } from 'node:fs';
import { type ArbitrationInstance, arbitrate } from '../actors/cell/arbitrate.ts';
import { createPolicy, type PolicyName, policyNames } from '../actors/cell/policies/policies.ts';
import type { PendingRequest } from '../actors/cell/policies/policy.ts';
import { nextRandom, randomState } from '../actors/cell/policies/random.ts';
import { RingBoard, type RingDirection, segmentNodeCount } from '../actors/cell/rings.ts';

/** Quality and speed of the arbitration policies (Cell specification 17.7, goals G2 to G5). Run: npx tsx bench/cell-arbitration.ts */

interface GoldenInstance extends ArbitrationInstance {
  readonly best: { readonly totalWait: number };
}

const fair = { factor: 4, cap: null };

function golden(set: string): readonly GoldenInstance[] {
  const file = new URL(`../properties/cell/golden/arb_${set}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).instances;
}

function totals(
  instances: readonly GoldenInstance[],
  name: PolicyName,
  boundedWait: typeof fair | null,
): number[] {
  return instances.map((one) => arbitrate(one, createPolicy(name, { ...one, boundedWait })).totalWait);
}

function sum(list: readonly number[]): number {
  return list.reduce((all, one) => all + one, 0);
}

function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[list.length >> 1]!;
}

/** Requests between random different nodes of N, issued in cycle 0, each of 1..32 bytes. */
function randomRequest(
  N: number,
  id: number,
  issue: number,
  below: (bound: number) => number,
): PendingRequest {
  const src = below(N);
  const other = below(N - 1);
  return { src, dst: other < src ? other : other + 1, size: 1 + below(32), issue, initiator: src, id };
}

function drawer(seed: number): (bound: number) => number {
  let state = randomState(seed);
  return (bound) => {
    state = nextRandom(state);
    return state % bound;
  };
}

/**
 * Runs `cycles` cycles with always `waiting` requests pending and returns each decision's seconds: a machine that saturates
 * its rings. `fresh` starts from a new state and empty rings each time, so that every decision fills the machine (the worst case).
 */
function decisionSeconds(
  name: PolicyName,
  N: number,
  K: number,
  waiting: number,
  cycles: number,
  fresh: boolean,
): number[] {
  const below = drawer(7);
  const policy = createPolicy(name, { N, K });
  let state = policy.initialState();
  let board = new RingBoard(N, K);
  let pending = Array.from({ length: waiting }, (_, id) => randomRequest(N, id, 0, below));
  let id = waiting;
  const seconds: number[] = [];
  for (let t = 1; t <= cycles; t++) {
    if (fresh) {
      board = new RingBoard(N, K);
      state = policy.initialState();
    }
    board.advance(t);
    const begin = performance.now();
    const grants = policy.decide({ t, pending, board, N, K }, state);
    seconds.push((performance.now() - begin) / 1000);
    const started = new Set<number>();
    for (const { index, dir, ring } of grants) {
      const { src, dst, size } = pending[index]!;
      board.reserve(dir as RingDirection, ring, src, segmentNodeCount(N, dir, src, dst), t + size);
      started.add(index);
    }
    if (started.size === 0) continue;
    pending = pending.filter((_, index) => !started.has(index));
    while (pending.length < waiting) pending.push(randomRequest(N, id++, t, below));
  }
  return seconds;
}

function microseconds(value: number): string {
  return (value * 1e6).toFixed(2).padStart(10);
}

function main(): void {
  const tiny = golden('tiny');
  const medium = golden('medium');
  const counted = medium.map((one) => one.best.totalWait >= 5);
  const best = {
    tiny: sum(tiny.map((one) => one.best.totalWait)),
    medium: sum(medium.map((one) => one.best.totalWait)),
  };
  const plain = new Map(policyNames.map((name) => [name, totals(medium, name, null)]));
  const meanRatio = (name: PolicyName, to: PolicyName): number => {
    const ratios = plain.get(name)!.map((one, index) => one / plain.get(to)![index]!);
    const kept = ratios.filter((_, index) => counted[index]);
    return sum(kept) / kept.length;
  };

  console.log(
    'quality       sum/best medium   tiny   mean/fifo-both  mean/etalon-hol   bounded wait 4: growth',
  );
  for (const name of policyNames) {
    const total = sum(plain.get(name)!);
    const growth = sum(totals(medium, name, fair)) / total - 1;
    const columns = [
      (total / best.medium).toFixed(4).padStart(15),
      (sum(totals(tiny, name, null)) / best.tiny).toFixed(4).padStart(8),
      meanRatio(name, 'fifo-both').toFixed(4).padStart(16),
      meanRatio(name, 'etalon-hol').toFixed(4).padStart(16),
      `${(100 * growth).toFixed(2)} %`.padStart(24),
    ];
    console.log(name.padEnd(12), ...columns);
  }
  console.log('goals        <= 1.42 default, 1.35 premium, 1.25 tiny; <= 0.62; <= 0.28; <= 1 %\n');

  console.log('one decision, N=64 K=4, us:  median    worst 1 %    mean');
  const cases = [
    ['250 pending, saturated', 250, 20_000, false],
    ['1000 pending, saturated', 1000, 4000, false],
    ['1000 pending, rings empty', 1000, 400, true],
  ] as const;
  for (const [title, waiting, cycles, fresh] of cases) {
    console.log(title);
    for (const name of policyNames) {
      // A premium decision searches; a tenth of the cycles is enough for its median.
      const seconds = decisionSeconds(
        name,
        64,
        4,
        waiting,
        name === 'sjf-plan' ? Math.min(600, cycles) : cycles,
        fresh,
      );
      const sorted = seconds.slice(seconds.length >> 3).sort((a, b) => a - b);
      const worst = sorted[Math.floor(sorted.length * 0.99)]!;
      console.log(
        ' ',
        name.padEnd(20),
        microseconds(median(sorted)),
        microseconds(worst),
        microseconds(sum(sorted) / sorted.length),
      );
    }
  }
}

main();
