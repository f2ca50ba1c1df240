import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hexOf } from '../actors/cell/fnv.ts';
import { fnv1a32 } from '../scenarios/cell/result.ts';
import {
  type CellOperation,
  type CellPolicy,
  type CellWorkload,
  parseWorkload,
} from '../scenarios/cell/workload.ts';
import { oneTransferWorkload, runLoop, saturatingWorkload } from './cell-loop.ts';

const golden = new URL('../properties/cell/golden/machine/', import.meta.url);
const policies = ['etalon-hol', 'etalon-ff', 'fifo-both', 'sjf-detour'] as const;

interface Request {
  readonly spu: number;
  readonly id: number;
  readonly isPut: boolean;
  readonly src: number;
  readonly dst: number;
  readonly from: number;
  readonly to: number;
  readonly size: number;
  readonly issue: number;
  start: number;
  dir: number;
  ring: number;
}

/**
 * Timed lists run as the specification tells it: every cycle, every byte and every decision on its own, sets of nodes as
 * lists. It shares no code and no shortcut with the loop.
 */
function plainRun(workload: CellWorkload, policy: CellPolicy) {
  const { N, K, memSize, programs = [] } = workload;
  const memories = Array.from({ length: N }, (_, spu) =>
    Uint8Array.from({ length: memSize }, (_, a) => spu * 167 + a * 13 + Math.floor(a / 256) * 7 + 1),
  );
  const requests: Request[] = [];
  const log: number[] = [];
  const freeFrom = [0, 1].map(() => Array.from({ length: K }, () => new Array<number>(N).fill(0)));
  let pending: Request[] = [];
  let bytes = 0;

  const nodesOf = ({ src, dst }: Request, dir: number) => {
    const nodes = [src];
    const step = dir === 0 ? 1 : N - 1;
    while (nodes.at(-1) !== dst) nodes.push((nodes.at(-1)! + step) % N);
    return nodes;
  };
  const fits = (request: Request, dir: number, ring: number, t: number) =>
    nodesOf(request, dir).every((node) => freeFrom[dir]![ring]![node]! <= t);
  const lengths = (request: Request) => [nodesOf(request, 0).length, nodesOf(request, 1).length] as const;
  const start = (request: Request, dir: number, ring: number, t: number) => {
    Object.assign(request, { start: t, dir, ring });
    for (const node of nodesOf(request, dir)) freeFrom[dir]![ring]![node] = t + request.size;
  };
  const gap = (request: Request, dir: number, ring: number, t: number) => {
    const nodes = nodesOf(request, dir);
    const rest = N - nodes.length;
    const free = freeFrom[dir]![ring]!;
    const step = dir === 0 ? 1 : N - 1;
    let score = 0;
    for (let i = 1; i <= rest && free[(nodes.at(-1)! + i * step) % N]! <= t; i++) score++;
    for (let i = 1; i <= rest && free[(nodes[0]! + i * (N - step)) % N]! <= t; i++) score++;
    return score;
  };
  const tightest = (request: Request, dirs: number[], t: number) =>
    dirs
      .flatMap((dir) => Array.from({ length: K }, (_, ring) => ({ dir, ring })))
      .filter(({ dir, ring }) => fits(request, dir, ring, t))
      .map(({ dir, ring }) => ({ dir, ring, score: gap(request, dir, ring, t) }))
      .sort((a, b) => a.score - b.score || a.dir - b.dir || a.ring - b.ring)[0];

  const decideFifo = (t: number) => {
    for (const request of pending) {
      const [p0, p1] = lengths(request);
      for (const dir of policy === 'fifo-both' && p1 < p0 ? [1, 0] : [0, 1]) {
        for (let ring = 0; ring < K && request.start < 0; ring++) {
          if (fits(request, dir, ring, t)) start(request, dir, ring, t);
        }
      }
      if (policy === 'etalon-hol' && request.start < 0) break;
    }
  };
  const decideShortest = (t: number) => {
    const key = ({ size, issue }: Request) => 50 * size - (t - (issue + 1));
    const order = [...pending].sort((a, b) => key(a) - key(b));
    let others = order.length;
    for (const request of order) {
      const [p0, p1] = lengths(request);
      const short = p0 === p1 ? [0, 1] : p0 < p1 ? [0] : [1];
      let place = tightest(request, short, t);
      if (!place && p0 !== p1) {
        const rings = freeFrom[short[0]!]!;
        const f = Math.min(
          ...rings.map((free) => Math.max(...nodesOf(request, short[0]!).map((n) => free[n]!))),
        );
        const x = request.size * Math.abs(p0 - p1);
        if (5 * N * K * (f - t) > 5 * x * (others - 1) + K * x) place = tightest(request, [1 - short[0]!], t);
      }
      if (place) {
        start(request, place.dir, place.ring, t);
        others--;
      }
    }
  };

  const lastEntry = Math.max(0, ...programs.flatMap((program) => program.map(([cycle]) => cycle)));
  let t = 0;
  for (; ; t++) {
    for (const [spu, program] of programs.entries()) {
      for (const operation of program.filter(([cycle]) => cycle === t)) {
        const own = requests.filter((request) => request.spu === spu);
        if (operation[1] === 'r') log.push(memories[spu]![operation[2]]!);
        else if (operation[1] === 'w') memories[spu]![operation[2]] = operation[3];
        else if (operation[1] === 's') {
          const asked = own.find(({ id }) => id === operation[2]);
          if (!asked) log.push(0);
          else if (asked.start < 0 || t < asked.start) log.push(1);
          else log.push(t < asked.start + asked.size ? 2 : 3);
        } else {
          const [, letter, mine, peer, theirs, size] = operation;
          const isPut = letter === 'p';
          const [src, dst, from, to] = isPut ? [spu, peer, mine, theirs] : [peer, spu, theirs, mine];
          const request = {
            spu,
            id: own.length,
            isPut,
            src,
            dst,
            from,
            to,
            size,
            issue: t,
            start: -1,
            dir: -1,
            ring: -1,
          };
          if (size === 0) request.start = t + 1;
          else pending.push(request);
          requests.push(request);
        }
      }
    }
    const running = requests.filter(({ start, size }) => start >= 0 && start <= t && t < start + size);
    running.sort((a, b) => a.spu - b.spu || a.id - b.id);
    for (const { src, dst, from, to, start } of running) {
      memories[dst]![to + t - start] = memories[src]![from + t - start]!;
      bytes++;
    }
    if (t + 1 === workload.cycles) break;
    if (policy === 'sjf-detour') decideShortest(t + 1);
    else decideFifo(t + 1);
    pending = pending.filter((request) => request.start < 0);
    const isQuiet = requests.every(
      (request) => request.size === 0 || (request.start >= 0 && request.start + request.size <= t + 1),
    );
    if (workload.cycles === undefined && t >= lastEntry && isQuiet) break;
  }
  return {
    cycles: t + 1,
    bytes,
    memHash: hexOf(memories.reduce((hash, memory) => fnv1a32(memory, hash), fnv1a32(new Uint8Array()))),
    readHash: hexOf(fnv1a32(Uint8Array.from(log))),
    transfers: requests.map(({ spu, id, isPut, src, dst, size, issue, start, dir, ring }) => {
      return [
        spu,
        id,
        isPut ? 'put' : 'get',
        src,
        dst,
        size,
        issue,
        start,
        dir,
        ring,
        start < 0 ? 0 : start - issue - 1,
      ];
    }),
  };
}

/** Timed lists full of races, self transfers, empty transfers and idle stretches, from a small linear generator. */
function racyWorkload(seed: number, N: number, K: number, cycles?: number): CellWorkload {
  let state = seed;
  const below = (count: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const memSize = 48;
  const programs = Array.from({ length: N }, () => {
    const program: CellOperation[] = [];
    for (let cycle = below(3), left = below(N > 16 ? 4 : 12); left > 0; left--) {
      const size = [0, 1, 2, below(12), 20 + below(12)][below(5)]!;
      const mine = below(memSize - size + 1);
      const theirs = below(memSize - size + 1);
      const letter = (['r', 'w', 's', 'g', 'p', 'g', 'p'] as const)[below(7)]!;
      if (letter === 'r') program.push([cycle, letter, below(memSize)]);
      else if (letter === 'w') program.push([cycle, letter, below(memSize), below(256)]);
      else if (letter === 's') program.push([cycle, letter, below(8) - 1]);
      else program.push([cycle, letter, mine, below(N), theirs, size]);
      cycle += [0, 0, 1, 2, 40][below(5)]!;
    }
    return program;
  });
  const header = { format: 'cell-workload/1', name: 'racy', N, K, memSize, policy: 'etalon-ff' } as const;
  return { ...header, programs, ...(cycles === undefined ? {} : { cycles }) };
}

describe('runLoop', () => {
  const names = readdirSync(golden)
    .filter((file) => file.endsWith('.workload.json'))
    .map((file) => file.replace('.workload.json', ''));

  it.each(names)('gives the golden result of %s byte for byte', (name) => {
    const file = `${name}.workload.json`;
    const workload = parseWorkload(readFileSync(new URL(file, golden), 'utf8'), file);

    const { line } = runLoop(workload);

    expect(line).toBe(readFileSync(new URL(`${name}.result.json`, golden), 'utf8'));
  });

  it('finds the eleven golden workloads', () => {
    expect(names).toHaveLength(11);
  });

  describe.each(policies)('under %s', (policy) => {
    it.each([1, 2, 3, 5, 8, 12, 33, 70])('agrees with the plain telling of the rules for N = %i', (N) => {
      for (let seed = 1; seed <= (N > 16 ? 3 : 20); seed++) {
        const workload = racyWorkload(seed * 977 + N, N, 1 + (seed % 3));

        const { result } = runLoop(workload, policy);

        expect(result).toMatchObject({ policy, ...plainRun(workload, policy) });
        expect(result).not.toHaveProperty('incomplete');
      }
    });

    it('stops after the given number of cycles, with what has not started left out of the waits', () => {
      for (let cycles = 1; cycles <= 30; cycles++) {
        const workload = racyWorkload(cycles, 5, 1, cycles);

        const { result } = runLoop(workload, policy);

        const isCut = result.transfers.some(
          ([, , , , , size, , start]) => start < 0 || start + size > cycles,
        );
        expect(result).toMatchObject(plainRun(workload, policy));
        expect(result.incomplete ?? false).toBe(isCut);
        expect(result.totalWait).toBe(result.transfers.reduce((sum, row) => sum + row[10], 0));
      }
    });
  });

  it('jumps over cycles in which nothing happens', () => {
    const workload = { ...oneTransferWorkload(), cycles: 2_000_000_000 };

    const { result } = runLoop(workload);

    expect(result).toMatchObject({ cycles: 2_000_000_000, bytes: 1 << 20 });
    // The second memory ends as a copy of the first.
    const memory = Uint8Array.from({ length: 1 << 20 }, (_, a) => a * 13 + (a >> 8) * 7 + 1);
    expect(result.memHash).toBe(hexOf(fnv1a32(memory, fnv1a32(memory))));
  });

  it('runs a closed loop to its last request and moves every byte it was asked for', () => {
    const { result } = runLoop(saturatingWorkload(8, 2, 50), 'fifo-both');

    expect(result.policy).toBe('fifo-both');
    expect(result.transfers).toHaveLength(400);
    expect(result.bytes).toBe(result.transfers.reduce((sum, row) => sum + row[5], 0));
  });

  it('refuses a policy it does not have', () => {
    expect(() => runLoop(oneTransferWorkload(), 'sjf-plan')).toThrow('no policy sjf-plan');
  });
});
