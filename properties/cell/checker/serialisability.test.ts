import { describe, expect, test } from 'vitest';
import { TestRandom } from './reference-log.ts';
import {
  type Access,
  type ByteContent,
  type CycleTrace,
  level0,
  level1,
  level2,
  serialOrder,
} from './serialisability.ts';

interface Step {
  readonly write: boolean;
  readonly mem: number;
  readonly address: number;
  /** Value of an SPU's write; a transfer writes what it has read. */
  readonly value: number;
}

/** A random cycle: SPUs with a few accesses to their memory, and transfers between few bytes. */
function randomChains(random: TestRandom): { spus: Step[][]; transfers: [Step, Step][] } {
  const N = 1 + random.below(3);
  const address = () => random.below(2);
  const spus = Array.from({ length: N }, (_, mem) =>
    Array.from({ length: random.below(4) }, () => ({
      write: random.below(2) === 0,
      mem,
      address: address(),
      value: random.below(3),
    })),
  );
  const transfers = Array.from({ length: random.below(4) }, (): [Step, Step] => [
    { write: false, mem: random.below(N), address: address(), value: 0 },
    { write: true, mem: random.below(N), address: address(), value: 0 },
  ]);
  return { spus, transfers };
}

/** Executes a random order of the steps and gives the trace it leaves, stamped by each memory's own clock. */
function executed(random: TestRandom): CycleTrace {
  const { spus, transfers } = randomChains(random);
  const before = (mem: number, address: number) => (mem + address) % 3;
  const memory = new Map<string, ByteContent>();
  const clocks = new Map<number, number>();
  const done: Access[][] = [...spus, ...transfers].map(() => []);
  const chains = [...spus, ...transfers];
  const left = () =>
    chains.flatMap((chain, index) => ((done[index]?.length ?? 0) < chain.length ? [index] : []));
  for (let open = left(); open.length > 0; open = left()) {
    const index = random.pick(open);
    const own = done[index] ?? [];
    const step = chains[index]?.[own.length];
    if (step === undefined) continue;
    const place = `${step.mem}:${step.address}`;
    const held = memory.get(place)?.value ?? before(step.mem, step.address);
    const moved = index < spus.length ? step.value : (own[0]?.value ?? 0);
    const value = step.write ? moved : held;
    if (step.write) memory.set(place, { mem: step.mem, address: step.address, value });
    const stamp = clocks.get(step.mem) ?? 0;
    clocks.set(step.mem, stamp + 1);
    own.push({ ...step, value, stamp });
  }
  const pairs = done.slice(spus.length).flatMap(([read, write]) => (read && write ? [{ read, write }] : []));
  return { spus: done.slice(0, spus.length), transfers: pairs, before, after: [...memory.values()] };
}

function accessesOf(trace: CycleTrace): Access[] {
  return [...trace.spus.flat(), ...trace.transfers.flatMap(({ read, write }) => [read, write])];
}

/** The same trace with one access or one final content changed. */
function replaced(trace: CycleTrace, from: Access | ByteContent, value: number): CycleTrace {
  const swap = <T extends Access | ByteContent>(item: T): T => (item === from ? { ...item, value } : item);
  return {
    ...trace,
    spus: trace.spus.map((list) => list.map(swap)),
    transfers: trace.transfers.map(({ read, write }) => ({ read: swap(read), write: swap(write) })),
    after: trace.after.map(swap),
  };
}

/** Tries every order of all accesses: slow, simple and certain. */
function bruteForce(trace: CycleTrace): boolean {
  const chains = [...trace.spus, ...trace.transfers.map(({ read, write }) => [read, write])];
  const memory = new Map<string, number>();
  const value = (a: { mem: number; address: number }) =>
    memory.get(`${a.mem}:${a.address}`) ?? trace.before(a.mem, a.address);
  const positions = chains.map(() => 0);
  const dead = new Set<string>();
  const search = (): boolean => {
    const state = JSON.stringify([positions, [...memory].sort()]);
    if (dead.has(state)) return false;
    let finished = true;
    for (const [index, chain] of chains.entries()) {
      const access = chain[positions[index] ?? 0];
      if (access === undefined) continue;
      finished = false;
      if (!access.write && access.value !== value(access)) continue;
      const place = `${access.mem}:${access.address}`;
      const held = memory.get(place);
      if (access.write) memory.set(place, access.value);
      positions[index] = (positions[index] ?? 0) + 1;
      if (search()) return true;
      positions[index] = (positions[index] ?? 1) - 1;
      if (held === undefined) memory.delete(place);
      else memory.set(place, held);
    }
    const fits = finished && trace.after.every((content) => content.value === value(content));
    if (!fits) dead.add(state);
    return fits;
  };
  return trace.transfers.every(({ read, write }) => read.value === write.value) && search();
}

describe('serialisability', () => {
  test('every executed order is accepted by all levels, with a witness (P-14, P-15)', () => {
    for (let seed = 0; seed < 2000; seed++) {
      const trace = executed(new TestRandom(seed));

      expect(level0(trace).answer, `seed ${seed}`).toBe('ok');
      expect(level1(trace).answer, `seed ${seed}`).toBe('ok');
      expect(level2(trace).answer, `seed ${seed}`).toBe('ok');
      expect(level1(trace).witness).toHaveLength(accessesOf(trace).length);
    }
  });

  test('one flipped read or final content is rejected by level 1 (P-15)', () => {
    let flips = 0;
    for (let seed = 0; seed < 1000; seed++) {
      const trace = executed(new TestRandom(seed));
      const victims = [...accessesOf(trace).filter((access) => !access.write), ...trace.after];

      for (const victim of victims) {
        const answer = level1(replaced(trace, victim, victim.value + 1)).answer;
        flips++;
        expect(answer, `seed ${seed}`).toBe('violation');
      }
    }
    expect(flips).toBeGreaterThan(2000);
  });

  test('levels 0 and 2 never reject what level 1 accepts, and level 2 agrees with trying every order (P-14)', () => {
    const answers = { ok: 0, violation: 0, undecided: 0 };
    for (let seed = 0; seed < 1500; seed++) {
      const random = new TestRandom(seed);
      const trace = executed(random);
      const accesses = [...accessesOf(trace), ...trace.after];
      if (accesses.length === 0) continue;
      const changed = replaced(trace, random.pick(accesses), random.below(3));

      const fine = level2(changed).answer;
      answers[fine]++;
      if (level1(changed).answer === 'ok') {
        expect(level0(changed).answer, `seed ${seed}`).toBe('ok');
        expect(fine, `seed ${seed}`).toBe('ok');
      }
      expect(fine === 'ok', `seed ${seed}`).toBe(bruteForce(changed));
    }
    expect(answers.undecided).toBe(0);
    expect(answers.violation).toBeGreaterThan(100);
    expect(answers.ok).toBeGreaterThan(100);
  });

  test('two transfers that swap two bytes may both read the old values', () => {
    const trace = swap(1, 2, 2, 1);

    expect(level1(trace).answer).toBe('ok');
    expect(level2(trace).answer).toBe('ok');
  });

  test('two transfers cannot each read what the other one wrote', () => {
    const circular = swap(9, 9, 9, 9);
    const stamped: CycleTrace = {
      ...circular,
      transfers: circular.transfers.map(({ read, write }) => ({
        read: { ...read, stamp: 1 },
        write: { ...write, stamp: 0 },
      })),
    };

    expect(level0(circular).answer).toBe('ok');
    expect(level1(stamped)).toMatchObject({ answer: 'violation', kind: 'order' });
    expect(level2(circular).answer).toBe('violation');
  });

  test('level 2 says undecided when it reaches a limit, and a contradiction elsewhere stays a violation', () => {
    const writes = (value: number): Access[] => [{ write: true, mem: 0, address: 0, value, stamp: value }];
    const crowd: CycleTrace = {
      spus: Array.from({ length: 9 }, (_, value) => writes(value)),
      transfers: [],
      before: () => 0,
      after: [{ mem: 0, address: 0, value: 8 }],
    };
    const liar: Access = { write: false, mem: 1, address: 0, value: 5, stamp: 0 };

    expect(level2(crowd).answer).toBe('undecided');
    expect(level2({ ...crowd, spus: [...crowd.spus, [liar]] }).answer).toBe('violation');
    expect(level2(crowd, { writesMax: 9 }).answer).toBe('ok');
    expect(level2(crowd, { writesMax: 9, stepsMax: 3 }).answer).toBe('undecided');
  });

  test('a written byte whose content is missing is a violation', () => {
    const trace: CycleTrace = {
      spus: [[{ write: true, mem: 0, address: 0, value: 1, stamp: 0 }]],
      transfers: [],
      before: () => 0,
      after: [],
    };

    expect([level0(trace).answer, level1(trace).answer]).toEqual(['violation', 'violation']);
  });

  test('the serial order keeps program order and the order of each byte', () => {
    const a: Access = { write: true, mem: 0, address: 0, value: 1, stamp: 3 };
    const b: Access = { write: false, mem: 0, address: 1, value: 0, stamp: 4 };
    const c: Access = { write: false, mem: 0, address: 0, value: 0, stamp: 1 };

    expect(serialOrder([[a, b], [c]])).toEqual([c, a, b]);
    expect(serialOrder([[a, c]])).toBeNull();
  });
});

/** Transfer x moves byte 0 to byte 1 and y the other way round; bytes start as 1 and 2. */
function swap(xRead: number, yRead: number, first: number, second: number): CycleTrace {
  const at = (write: boolean, mem: number, value: number, stamp: number): Access => ({
    write,
    mem,
    address: 0,
    value,
    stamp,
  });
  return {
    spus: [],
    transfers: [
      { read: at(false, 0, xRead, 0), write: at(true, 1, xRead, 1) },
      { read: at(false, 1, yRead, 0), write: at(true, 0, yRead, 1) },
    ],
    before: (mem) => mem + 1,
    after: [
      { mem: 0, address: 0, value: first },
      { mem: 1, address: 0, value: second },
    ],
  };
}
