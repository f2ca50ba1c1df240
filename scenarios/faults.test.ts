import { describe, expect, test } from 'vitest';
import type { Machine } from '../machines/machine.ts';
import { alternatingBit } from '../machines/protocols/alternating-bit.ts';
import { recordingOf } from './recording.ts';
import { replay } from './replay.ts';
import { scenarioJsonSchema } from './schema.ts';
import { simulate } from './simulate.ts';
import { ping } from './testing/ping.ts';
import { read, refusals } from './testing/read.ts';

/** The toy machine, in which players may crash. */
const court = { ...ping, crashable: (actor: string) => actor.startsWith('Player') } as Machine;

const text = (fault: string, more = '') =>
  `name: a\nmachine: ping\nconfig: { players: 2 }\nfaults:\n  - ${fault}\n${more}`;

const refused = async (fault: string) => (await refusals(text(fault), [court]))[0];

describe('a fault in a scenario', () => {
  test.each([
    ['drop: {}', { kind: 'drop' }],
    [
      'duplicate: { from: Server, to: "Player[*]", type: ball.hit, probability: 0.1, budget: 2 }',
      { kind: 'duplicate', from: 'Server', to: 'Player[*]', type: 'ball.hit', probability: 0.1, budget: 2 },
    ],
    ['delay: { type: ball.* }', { kind: 'delay', type: 'ball.*', ticks: 1 }],
    ['reorder: { ticks: 4 }', { kind: 'reorder', ticks: 4 }],
    ['corrupt: { field: strength }', { kind: 'corrupt', field: 'strength' }],
    ['crash: { actor: "Player[1]", restart: 3 }', { kind: 'crash', actor: 'Player[1]', restart: 3 }],
    ['drop: { from: world }', { kind: 'drop', from: 'world' }],
  ])('%s is read', async (fault, expected) => {
    const { scenario } = await read(text(fault), [court]);

    expect(scenario.faults).toEqual([expected]);
  });

  test.each([
    ['dropp: {}', 'unknown key "dropp" in faults[0]'],
    ['drop: { too: Server }', '5:13 SCN010 unknown key "too" in faults[0].drop | did you mean "to"?'],
    ['drop: { to: Player }', '5:17 SCN032 faults[0].drop.to: found "Player", which no actor is called'],
    ['drop: { to: "Play*" }', undefined],
    ['drop: { from: Servr }', 'found "Servr", which no actor is called | did you mean "Server"?'],
    ['drop: { type: ball.hut }', 'found "ball.hut", which no actor is ever sent | did you mean "ball.hit"?'],
    [
      'drop: { type: ball.hit, to: Server }',
      'found "ball.hit", which no actor called "Server" is ever sent | known types: ball.back, serve',
    ],
    ['corrupt: { type: ball.hit, field: strenth }', undefined],
    ['drop: { from: Server, to: Server }', 'found a channel from an actor to itself'],
    ['delay: { ticks: 0 }', 'SCN013 faults[0].delay.ticks: found 0, expected an integer from 1'],
    ['crash: { actor: Server }', 'SCN033 faults[0].crash.actor: found "Server", which may not crash'],
    ['crash: { actor: "*" }', 'found "Server", which may not crash | actors that may: Player[0], Player[1]'],
    ['crash: { actor: Referee }', 'SCN032 faults[0].crash.actor: found "Referee", which no actor is called'],
    ['crash: { restart: 3 }', 'SCN011 missing key "actor" in faults[0].crash'],
  ])('%s is refused in plain words, or fits', async (fault, words) => {
    const found = await refusals(text(fault), [court]);

    if (words === undefined) expect(found).toEqual([]);
    else expect(found.join('\n')).toContain(words);
  });

  test('is not for a timer, which comes from the actor itself', async () => {
    const of = (fault: string) => `name: bit\nmachine: alternating-bit\nfaults:\n  - ${fault}\n`;
    const known = [alternatingBit as unknown as Machine];

    expect(await refusals(of('drop: { type: resend }'), known)).toEqual([
      expect.stringContaining('found "resend", a timer that an actor sets itself'),
    ]);
    expect(await refusals(of('delay: { type: "re*" }'), known)).toHaveLength(1);
    expect(await refusals(of('drop: { type: Ack }'), known)).toEqual([]);
  });

  test('may not crash anything in a machine that says nothing of it', async () => {
    expect((await refusals(text('crash: { actor: Server }')))[0]).toContain('no actor of ping may');
  });

  test('is looked for only when the rest of the file is right', async () => {
    expect(await refused('drop: { to: Nobody }\nprograms: { strengths: [1] }')).toContain('SCN030');
  });

  test('stands in the JSON Schema with descriptions', () => {
    const { faults } = scenarioJsonSchema(ping as Machine, 'players').properties as Record<
      string,
      { items: { anyOf: { properties: Record<string, { description?: string }> }[] } }
    >;

    const kinds = faults!.items.anyOf.map(({ properties }) => Object.keys(properties)[0]);
    expect(kinds).toEqual(['mutant', 'drop', 'duplicate', 'delay', 'reorder', 'corrupt', 'crash']);
    for (const { properties } of faults!.items.anyOf)
      for (const { description } of Object.values(properties)) expect(description).toMatch(/\w+ \w+/);
  });
});

describe('a run of a scenario with faults', () => {
  const losses = text(
    'drop: { type: ball.back, probability: 0.2 }\n  - mutant: lostBall\n  - delay: { probability: 0.3 }',
    'schedule: { kind: random, seed: 2 }',
  );

  test('injects them, and mutants go to the machine', async () => {
    const { scenario, machine } = await read(losses);

    const { outcome } = simulate(scenario, machine);

    expect(outcome.verdict).toBe('deadlock');
    expect(outcome.faults).toHaveLength(2);
    expect(outcome.faults!.some(({ struck }) => struck > 0)).toBe(true);
  });

  test('is fault-free under first come, first served', async () => {
    const { scenario, machine } = await read(text('drop: { probability: 0.9 }'));
    const plain = await read(text('drop: {}').replace(/faults:\n.*\n/, ''));

    const { outcome, tape, fingerprint } = simulate(scenario, machine);

    expect(tape).toEqual([]);
    expect(outcome.faults?.[0]?.struck).toBe(0);
    expect(fingerprint).toBe(simulate(plain.scenario, plain.machine).fingerprint);
  });

  test.each(['compiled', 'xstate'] as const)('is replayed exactly from its recording, %s', async (engine) => {
    const { scenario, machine } = await read(losses);
    const simulation = simulate(scenario, machine);

    const again = await replay(recordingOf(scenario, simulation), [ping as Machine], { engine });

    expect(again.difference).toBeUndefined();
    expect(again.toEnd).toBe(true);
    expect(again.simulation.outcome).toEqual(simulation.outcome);
  });
});
