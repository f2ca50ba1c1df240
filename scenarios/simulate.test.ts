import { describe, expect, it } from 'vitest';
import { TapeChoices } from '../kernel/choices.ts';
import { actorsMax, checkpointsMax } from './checkpoints.ts';
import { simulate } from './simulate.ts';
import { ping } from './testing/ping.ts';
import { read } from './testing/read.ts';

async function scenarioOf(config: string, more = '') {
  const { scenario } = await read(`name: a\nmachine: ping\nconfig: { ${config} }\n${more}`);
  return scenario as never;
}

const random = 'schedule: { kind: random, seed: 5 }\n';

describe('simulate', () => {
  it('runs a scenario first come, first served unless it says otherwise', async () => {
    const { outcome, result, tape, scheduled, run } = simulate(
      await scenarioOf('players: 3, rounds: 2'),
      ping,
    );

    expect(outcome).toMatchObject({ verdict: 'ok', ticks: 7, deliveries: 15 });
    expect(result).toMatchObject({ rounds: 2, strength: 6, hits: [2, 2, 2] });
    expect([tape, scheduled, run.ended]).toEqual([[], false, true]);
  });

  it('gives the same run for the same seed and another one for another', async () => {
    const scenario = await scenarioOf('players: 5, rounds: 9', random);

    const [one, same, other] = [{}, {}, { schedule: { kind: 'random', seed: 6 } as const }].map((options) =>
      simulate(scenario, ping, options),
    );

    expect(same?.fingerprint).toBe(one?.fingerprint);
    expect(other?.fingerprint).not.toBe(one?.fingerprint);
    expect(other?.result.order).not.toBe(one?.result.order);
  });

  it('keeps the picks: fed again they give the same run', async () => {
    const scenario = await scenarioOf('players: 5, rounds: 9', random);
    const first = simulate(scenario, ping);

    const again = simulate(scenario, ping, { choices: new TapeChoices(first.tape) });

    expect(first.tape.length).toBeGreaterThan(20);
    expect([again.fingerprint, again.tape]).toEqual([first.fingerprint, first.tape]);
  });

  it('is the same run on both engines, at every checkpoint', async () => {
    const scenario = await scenarioOf('players: 4, rounds: 5', random);

    const [compiled, xstate] = (['compiled', 'xstate'] as const).map((engine) =>
      simulate(scenario, ping, { engine }),
    );

    expect(xstate?.checkpoints).toEqual(compiled?.checkpoints);
  });

  it('applies the mutants of the scenario', async () => {
    const { outcome } = simulate(await scenarioOf('players: 2', 'faults: [{ mutant: lostBall }]'), ping);

    expect(outcome.verdict).toBe('deadlock');
    expect(outcome.deadlock?.waiting[0]).toMatchObject({ actor: 'Server', waitsFor: 'the balls' });
  });

  it('runs the programs of the scenario', async () => {
    const { result } = simulate(
      await scenarioOf('players: 2, rounds: 2', 'programs: { module: "programs.ts#byRound" }'),
      ping,
    );

    // Rounds 1 and 2, players 0 and 1: 1 + 2 + 2 + 3.
    expect(result.strength).toBe(8);
  });

  it('stops after the last tick that is asked for, and says so', async () => {
    const scenario = await scenarioOf('players: 2, rounds: 9', 'until: 4');

    const [asWritten, further] = [simulate(scenario, ping), simulate(scenario, ping, { until: 5 })];

    expect([asWritten.outcome.ticks, asWritten.until, asWritten.run.ended]).toEqual([5, 4, false]);
    expect([further.outcome.ticks, further.until]).toEqual([6, 5]);
  });

  it('shows progress and can be interrupted, which changes nothing in what was run', async () => {
    const scenario = await scenarioOf('players: 8, rounds: 3000', random);
    const seen: (readonly [number, number])[] = [];

    const cut = simulate(scenario, ping, {
      onProgress: (tick, deliveries) => seen.push([tick, deliveries]),
      shouldStop: () => seen.length >= 3,
    });

    expect([cut.interrupted, cut.run.ended, seen.length]).toEqual([true, false, 3]);
    expect(seen.at(-1)?.[1]).toBe(cut.outcome.deliveries);
    expect(simulate(scenario, ping, { until: cut.until! }).fingerprint).toBe(cut.fingerprint);
  });

  it('is the same run whether somebody watches its progress or not', async () => {
    const scenario = await scenarioOf('players: 8, rounds: 3000', random);

    const watched = simulate(scenario, ping, { onProgress: () => {}, checkpoints: 0 });

    expect(watched.run.ended).toBe(true);
    expect(watched.fingerprint).toBe(simulate(scenario, ping, { checkpoints: 0 }).fingerprint);
  });

  it('attaches observers before the first step', async () => {
    const ticks: number[] = [];

    simulate(await scenarioOf('players: 1, rounds: 1'), ping, {
      observe: (run) => run.ticks$.subscribe((tick) => ticks.push(tick)),
    });

    expect(ticks).toEqual([0, 1, 2, 3]);
  });
});

describe('checkpoints', () => {
  it('are at every tick of a short run', async () => {
    const { checkpoints } = simulate(await scenarioOf('players: 2, rounds: 3'), ping);

    expect(checkpoints.map(({ tick, deliveries }) => [tick, deliveries])).toEqual([
      [0, 1],
      [1, 3],
      [2, 5],
      [3, 6],
      [4, 8],
      [5, 10],
      [6, 11],
      [7, 13],
      [8, 15],
      [9, 16],
    ]);
  });

  it('of a long run are few and evenly spread', async () => {
    const { checkpoints, outcome } = simulate(await scenarioOf('players: 1, rounds: 1000'), ping);

    const steps = new Set(checkpoints.slice(1).map((one, index) => one.tick - checkpoints[index]!.tick));
    expect(outcome.ticks).toBe(3001);
    expect(checkpoints.length).toBeGreaterThan(checkpointsMax / 2 - 1);
    expect(checkpoints.length).toBeLessThanOrEqual(checkpointsMax);
    expect([...steps]).toEqual([64]);
  });

  it('tell actors apart while there are few, and not when there are many', async () => {
    const [few, many] = await Promise.all(
      [3, actorsMax].map(async (players) =>
        simulate(await scenarioOf(`players: ${players}, rounds: 1`), ping),
      ),
    );

    expect(Object.keys(few!.checkpoints[0]!.actors!)).toEqual([
      'Server',
      'Player[0]',
      'Player[1]',
      'Player[2]',
    ]);
    expect(few!.checkpoints[0]!.fingerprint).toBeUndefined();
    expect(many!.checkpoints[0]!.actors).toBeUndefined();
    expect(many!.checkpoints[0]!.fingerprint).toMatch(/^[0-9a-f]{16}$/);
  });

  it('are not kept when none are wanted', async () => {
    expect(simulate(await scenarioOf('players: 2'), ping, { checkpoints: 0 }).checkpoints).toEqual([]);
  });
});
