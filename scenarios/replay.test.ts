import { describe, expect, it } from 'vitest';
import type { Address } from '../kernel/message.ts';
import type { Machine } from '../machines/machine.ts';
import { alternatingBit } from '../machines/protocols/alternating-bit.ts';
import { parseScenario } from './load.ts';
import { type Recording, recordingOf } from './recording.ts';
import { recordedScenario, replay } from './replay.ts';
import { type SimulateOptions, simulate } from './simulate.ts';
import { ping } from './testing/ping.ts';
import { read } from './testing/read.ts';

const machines = [ping as Machine];
const text =
  'name: a\nmachine: ping\nconfig: { players: 4, rounds: 40 }\nschedule: { kind: random, seed: 5 }\n';

async function record(source = text, options: SimulateOptions = {}): Promise<Recording> {
  const { scenario } = await read(source);
  return recordingOf(scenario, simulate(scenario as never, ping, options));
}

/** The toy machine after somebody changed it: its players hit with another strength from a round on. */
function changedFrom(round: number): Machine {
  const programs = { module: 'changed', program: (now: number) => (now >= round ? 2 : 1) };
  return { ...(ping as Machine), assemble: (given) => ping.assemble({ ...given, programs } as never) };
}

/** A machine that breaks the rules: it counts outside of its contexts. */
function forgetful(): Machine {
  let calls = 0;
  const programs = { module: 'forgetful', program: (round: number) => (round < 20 ? 1 : calls++) };
  return { ...(ping as Machine), assemble: (given) => ping.assemble({ ...given, programs } as never) };
}

describe('replay', () => {
  it('finds a run equal to its recording, at every checkpoint and at the end', async () => {
    const recording = await record();

    const { difference, checkpointsEqual, toEnd, simulation } = await replay(recording, machines);

    expect([difference, checkpointsEqual, toEnd]).toEqual([undefined, recording.checkpoints.length, true]);
    expect(simulation.fingerprint).toBe(recording.end.fingerprint);
    expect(simulation.tape).toEqual(recording.tape);
  });

  it('finds a run equal that was cut at its last step: it never comes to rest', async () => {
    const known = [alternatingBit as unknown as Machine];
    const { scenario, machine } = await parseScenario('name: a\nmachine: alternating-bit\n', 'a.yaml', known);
    const recording = recordingOf(scenario, simulate(scenario, machine));

    const { difference, toEnd, simulation } = await replay(recording, known);

    expect(recording.end.ticks).toBe(10_000);
    expect([difference, toEnd, simulation.outcome.ticks]).toEqual([undefined, true, 10_000]);
  });

  it('stops behind the recorded end when what it is given goes on and on, and says so', async () => {
    const recording = await record();
    const { scenario } = recording;
    const longer = { ...scenario, text: scenario.text.replace('rounds: 40', 'rounds: 100000') };

    const { difference, simulation } = await replay(
      { ...recording, checkpoints: [], scenario: longer },
      machines,
    );

    expect(difference?.text).toContain('it goes on behind tick');
    expect(simulation.outcome.ticks).toBeLessThan(2 * recording.end.ticks);
  });

  it('stops soon behind the recorded deliveries where the recorded end lies far away', async () => {
    const recording = await record();
    const { scenario, end } = recording;
    const longer = { ...scenario, text: scenario.text.replace('rounds: 40', 'rounds: 1000000') };
    const far = { ...recording, checkpoints: [], scenario: longer, end: { ...end, ticks: 1_000_000_000 } };

    const { difference, simulation } = await replay(far, machines);

    expect(difference?.text).toContain('it goes on behind');
    expect(simulation.outcome.deliveries).toBeLessThan(end.deliveries + 100_000);
  });

  it('finds it equal on the other engine', async () => {
    const { difference } = await replay(await record(), machines, { engine: 'xstate' });

    expect(difference).toBeUndefined();
  });

  it('replays a run that failed in a tick behind others in which nothing came', async () => {
    const late: Machine = {
      ...(ping as Machine),
      assemble: (given) => {
        const made = ping.assemble(given as never);
        made.wiring.begin({ to: 0 as Address, type: 'ball.none', delay: 900 } as never);
        return made;
      },
    };
    const { scenario } = await parseScenario(text, 'a.yaml', [late]);
    const recording = recordingOf(scenario, simulate(scenario, late, {}));
    const { difference, toEnd, simulation } = await replay(recording, [late]);

    expect([recording.end.verdict, recording.end.ticks]).toEqual(['error', 900]);
    expect([difference, toEnd, simulation.outcome.failure?.tick]).toEqual([undefined, true, 900]);
  });

  it('replays a run that ended in a deadlock or in violations', async () => {
    for (const mutant of ['lostBall', 'strongPlayer']) {
      const recording = await record(`${text}faults: [{ mutant: ${mutant} }]\n`);

      const { difference, simulation } = await replay(recording, machines);

      expect([difference, simulation.outcome.verdict]).toEqual([
        undefined,
        mutant === 'lostBall' ? 'deadlock' : 'violated',
      ]);
    }
  });

  it('goes as far as the recorded run went', async () => {
    const recording = await record(text, { until: 50 });

    const { difference, toEnd, simulation } = await replay(recording, machines);

    expect([difference, toEnd, simulation.until]).toEqual([undefined, true, 50]);
  });

  it('stops where it is asked to, having verified what it passed', async () => {
    const recording = await record();

    const { difference, toEnd, checkpointsEqual, simulation } = await replay(recording, machines, { to: 30 });

    expect([difference, toEnd, simulation.outcome.ticks]).toEqual([undefined, false, 31]);
    expect(checkpointsEqual).toBe(recording.checkpoints.filter((one) => one.tick <= 30).length);
  });

  it('says so when all that happens is as recorded and only what is found in it is not', async () => {
    const recording = await record();

    const { difference } = await replay(recording, machines, {
      observe: (run) => {
        run.ticks$.subscribe((tick) => {
          if (tick === 5) run.report(['Server'], { property: 'nobody serves', why: 'it served' });
        });
      },
    });

    expect(difference).toMatchObject({ judgedOnly: true, actors: [] });
    expect(difference?.text).toMatch(
      /^all that happens is as recorded, and what is found in it is not: verdict violated, recorded ok; violated: nobody serves; recorded: /,
    );
  });

  it('names the first checkpoint and the actor that differ when the machine was changed', async () => {
    const recording = await record();

    const { difference } = await replay(recording, [changedFrom(20)]);

    // Round 20 is served in tick 57, hit in 58, and the balls are back in 59.
    const ticks = recording.checkpoints.map((one) => one.tick);
    const first = ticks.findIndex((tick) => tick >= 59);
    expect(difference).toMatchObject({ after: ticks[first - 1], tick: ticks[first], actors: ['Server'] });
    expect(difference?.exact).toBeUndefined();
    expect(difference?.text).toMatch(
      /^the replay leaves the recorded run after the end of tick \d+ and by the end of tick \d+: the state of Server differs\na second replay gave the same/,
    );
  });

  it('names the very tick when checkpoints are at every tick', async () => {
    const recording = await record('name: a\nmachine: ping\nconfig: { players: 2, rounds: 5 }\n');

    const { difference } = await replay(recording, [changedFrom(3)]);

    expect(difference).toMatchObject({ after: 7, tick: 8, actors: ['Server'] });
  });

  it('finds the exact tick of a machine that does not depend on its tape alone', async () => {
    const recording = await record();

    const { difference } = await replay(recording, [forgetful()]);

    // Round 20 is hit in tick 58: the messages that carry the strength differ before any actor does.
    expect(difference?.exact).toEqual({ tick: 58, actors: [] });
    expect(difference?.text).toContain(
      'two replays differ from each other, first in tick 58 (messages under way)',
    );
  });

  it('sees a change in a single digit of one actor at one checkpoint', async () => {
    const recording = await record();
    const checkpoints = recording.checkpoints.map((one, index) => {
      const digits = one.actors!;
      return index === 7
        ? { ...one, actors: `${digits.slice(0, 16)}${digits[16] === '0' ? '1' : '0'}${digits.slice(17)}` }
        : one;
    });

    const { difference } = await replay({ ...recording, checkpoints }, machines);

    expect(difference).toMatchObject({ tick: recording.checkpoints[7]?.tick, actors: ['Player[1]'] });
  });

  it('names a pick that does not fit', async () => {
    const recording = await record();
    const tape = recording.tape.map((pick, index) => (index === 10 ? 99 : pick));

    const { difference } = await replay({ ...recording, tape }, machines);

    expect(difference?.misfit).toMatchObject({ position: 10, pick: 99, what: 'deliver' });
    expect(difference?.text).toMatch(/pick 10 of the tape is 99, but "deliver" in tick \d+ had \d answers/);
  });

  it('sees a tape that was longer', async () => {
    const recording = await record();

    const tape = [...recording.tape, ...Array.from({ length: 100 }, () => 0), 1];

    const { difference } = await replay({ ...recording, tape }, machines);

    expect(difference?.what).toMatch(/^\d+ picks of the tape were not asked for$/);
  });

  it('compares the end even when no checkpoint tells actors apart', async () => {
    const recording = await record('name: a\nmachine: ping\nconfig: { players: 400, rounds: 2 }\n');
    const end = { ...recording.end, verdict: 'violated' as const, deliveries: recording.end.deliveries - 1 };

    const { difference } = await replay({ ...recording, end }, machines);

    expect(difference?.what).toBe(
      `${recording.end.deliveries} deliveries, recorded ${end.deliveries}; verdict ok, recorded violated`,
    );
  });

  it('sees that nothing happens any more in a tick of the recording', async () => {
    const slower: Machine = {
      ...(ping as Machine),
      assemble: (given) =>
        ping.assemble({ ...given, config: { ...(given.config as object), pause: 5 } } as never),
    };
    const { actors: _, ...one } = (await record()).checkpoints[1]!;

    // Round 2 begins in tick 7 instead of 3.
    const { difference } = await replay({ ...(await record()), checkpoints: [one] }, [slower]);

    expect(difference).toMatchObject({ after: -1, tick: 3, actors: [] });
    expect(difference?.what).toMatch(/^nothing was delivered in tick 3, recorded were \d+ deliveries/);
  });

  it('sees that the recorded run went on longer', async () => {
    const recording = await record();
    const checkpoints = [...recording.checkpoints, { ...recording.checkpoints.at(-1)!, tick: 500 }];

    const { difference } = await replay({ ...recording, checkpoints }, machines);

    expect(difference).toMatchObject({ tick: 500, actors: [] });
  });

  it('keeps a run apart that was built for other orders although it took none', async () => {
    const recording = { ...(await record()), tape: [] };
    const seen: boolean[] = [];
    const watching: Machine = {
      ...(ping as Machine),
      assemble: (given) => {
        seen.push(given.scheduled);
        return ping.assemble(given as never);
      },
    };

    await replay(recording, [watching], { to: 0 });

    expect(seen).toEqual([true]);
  });

  it('blames the recording for a scenario in it that was damaged', async () => {
    const recording = await record();
    const damaged = { ...recording, scenario: { ...recording.scenario, text: 'name: a\nmachine: pong\n' } };

    await expect(recordedScenario(damaged, 'r.json', machines)).rejects.toThrow(
      /^r\.json, in its text of .*:2:10 SCN020 .*\n.*help/,
    );
  });
});
