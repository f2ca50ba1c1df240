import type { HostAnswer, HostCall } from '../../actors/grape/host-calls.ts';

/** Places and velocities of bodies of equal mass, three numbers each; the masses add up to 1. */
export interface Bodies {
  readonly x: Float64Array;
  readonly v: Float64Array;
}

/** Accelerations, three numbers a body, and the sum of m / r over the others of each. */
export interface Field {
  readonly acceleration: Float64Array;
  readonly potential: Float64Array;
}

/** How long and how finely bodies are followed. */
export interface LeapfrogOptions {
  readonly bodies: number;
  readonly steps: number;
  /** Length of a step. */
  readonly dt: number;
  /** Softening: distances are sqrt(r^2 + eps^2). */
  readonly eps: number;
  /** Blocks of the chip and PEs of each. */
  readonly nBB: number;
  readonly nPE: number;
  /** Called after each step with its number, the bodies and their energy. */
  readonly onStep?: (step: number, bodies: Bodies, energy: number) => void;
}

/** Reproducible numbers from 0 to 1, evenly spread: the fractions of multiples of an irrational number. */
const spread = (index: number, irrational: number): number => (index * irrational + 0.5) % 1;

/** A ball of bodies that turns about its axis, near equilibrium. */
export function turningBall(count: number): Bodies {
  const x = new Float64Array(3 * count);
  const v = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const radius = Math.cbrt(spread(i + 1, 0.7548776662466927));
    const height = 2 * spread(i + 1, 0.5698402909980532) - 1;
    const angle = 2 * Math.PI * spread(i + 1, 0.6180339887498949);
    const flat = radius * Math.sqrt(1 - height * height);
    x.set([flat * Math.cos(angle), flat * Math.sin(angle), radius * height], 3 * i);
    const speed = 0.6 * flat;
    v.set([-speed * Math.sin(angle), speed * Math.cos(angle), 0.1 * radius * height], 3 * i);
  }
  return { x, v };
}

/** The field of bodies in double precision: what the chip is compared with. */
export function exactField({ x }: Bodies, eps: number): Field {
  const count = x.length / 3;
  const acceleration = new Float64Array(x.length);
  const potential = new Float64Array(count);
  for (let i = 0; i < count; i++)
    for (let j = 0; j < count; j++) {
      if (i === j) continue;
      const [dx, dy, dz] = [0, 1, 2].map((axis) => x[3 * j + axis]! - x[3 * i + axis]!) as [
        number,
        number,
        number,
      ];
      const inverse = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz + eps * eps);
      const force = inverse ** 3 / count;
      acceleration[3 * i] = acceleration[3 * i]! + force * dx;
      acceleration[3 * i + 1] = acceleration[3 * i + 1]! + force * dy;
      acceleration[3 * i + 2] = acceleration[3 * i + 2]! + force * dz;
      potential[i] = potential[i]! + inverse / count;
    }
  return { acceleration, potential };
}

/** Kinetic and potential energy together. */
export function energyOf({ v }: Bodies, { potential }: Field): number {
  const count = potential.length;
  let twice = 0;
  for (let i = 0; i < count; i++) {
    const [vx, vy, vz] = [v[3 * i]!, v[3 * i + 1]!, v[3 * i + 2]!];
    twice += vx * vx + vy * vy + vz * vz - potential[i]!;
  }
  return twice / (2 * count);
}

const kick = ({ v }: Bodies, { acceleration }: Field, dt: number): void => {
  for (let at = 0; at < v.length; at++) v[at] = v[at]! + (dt / 2) * acceleration[at]!;
};

const drift = ({ x, v }: Bodies, dt: number): void => {
  for (let at = 0; at < x.length; at++) x[at] = x[at]! + dt * v[at]!;
};

/** The leapfrog in double precision. Returns the bodies at the end. */
export function exactLeapfrog({ bodies: count, steps, dt, eps, onStep }: LeapfrogOptions): Bodies {
  const bodies = turningBall(count);
  let field = exactField(bodies, eps);
  onStep?.(0, bodies, energyOf(bodies, field));
  for (let step = 1; step <= steps; step++) {
    kick(bodies, field, dt);
    drift(bodies, dt);
    field = exactField(bodies, eps);
    kick(bodies, field, dt);
    onStep?.(step, bodies, energyOf(bodies, field));
  }
  return bodies;
}

/**
 * The leapfrog with forces from the chip, as a program of the host for `gravity.vsm`.
 *
 * Details: i particles go in batches of four a PE, j records are spread over the blocks. `bodies` must be a multiple of `nBB`, or records that are
 * not there pull towards the origin.
 */
export function* leapfrog(options: LeapfrogOptions): Generator<HostCall, Bodies, HostAnswer> {
  const { bodies: count, steps, dt, onStep } = options;
  const bodies = turningBall(count);
  yield { call: 'init' };
  let field = yield* chipField(bodies, options);
  onStep?.(0, bodies, energyOf(bodies, field));
  for (let step = 1; step <= steps; step++) {
    kick(bodies, field, dt);
    drift(bodies, dt);
    field = yield* chipField(bodies, options);
    kick(bodies, field, dt);
    onStep?.(step, bodies, energyOf(bodies, field));
  }
  return bodies;
}

function* chipField(
  { x }: Bodies,
  { bodies: count, eps, nBB, nPE }: LeapfrogOptions,
): Generator<HostCall, Field, HostAnswer> {
  const acceleration = new Float64Array(3 * count);
  const potential = new Float64Array(count);
  for (let j = 0; j < count; j++) {
    const [xj, yj, zj] = x.subarray(3 * j, 3 * j + 3) as unknown as [number, number, number];
    const record = { xj, yj, zj, mj: 1 / count, eps2: eps * eps };
    yield { call: 'sendEltData', num: 0, record, index: j };
  }
  for (let first = 0; first < count; first += 4 * nPE) {
    const particles = Array.from({ length: Math.min(4 * nPE, count - first) }, (_, k) => {
      const at = 3 * (first + k);
      return { xi: x[at]!, yi: x[at + 1]!, zi: x[at + 2]! };
    });
    yield { call: 'sendIParticle', particles };
    yield { call: 'run', n: count / nBB };
    const { results } = yield { call: 'getResult' };
    for (const [k, { values }] of results!.entries()) {
      const i = first + k;
      acceleration.set([Number(values['accx']), Number(values['accy']), Number(values['accz'])], 3 * i);
      // The chip counts a body among its own neighbours, at distance eps.
      potential[i] = Number(values['pot']) - 1 / (count * eps);
    }
  }
  return { acceleration, potential };
}

/** Eight bodies for ten steps on a chip of 2 blocks of 2 PEs: the program of `leapfrog.yaml`. Errors: throws when the energy drifts by more than 1e-3. */
export function* eightBodies(): Generator<HostCall, void, HostAnswer> {
  let first = Number.NaN;
  yield* leapfrog({
    bodies: 8,
    steps: 10,
    dt: 1 / 64,
    eps: 1 / 8,
    nBB: 2,
    nPE: 2,
    onStep: (step, _bodies, energy) => {
      if (step === 0) first = energy;
      const change = Math.abs(energy / first - 1);
      if (change > 1e-3) throw new Error(`the energy has changed by ${change} after ${step} steps`);
    },
  });
}
