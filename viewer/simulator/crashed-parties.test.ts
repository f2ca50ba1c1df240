import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main } from '../../cli/main.ts';
import { KeptTerminal } from '../../cli/terminal.ts';
import { machines } from '../../manifests/machines.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { simulate } from '../../scenarios/simulate.ts';
import { openingOf } from '../open/opening.ts';
import { Lanes } from '../page/lanes.ts';
import { Session } from './session.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-view-'));

afterAll(() => rmSync(folder, { recursive: true }));

test('what the network does is a moment of its own, to which findings and explanations lead', async () => {
  const file = join(folder, 'lost-count.yaml');
  const recording = join(folder, 'lost-count.json');
  writeFileSync(
    file,
    'name: a\nmachine: ping-pong\nconfig: { limit: 3 }\nnetwork: { crashes: { max: 1, recover: true } }\n',
  );
  expect(await main(['check', file, '--record', recording], new KeptTerminal())).toBe(1);
  const session = new Session();

  const { run, opensAt } = await session.open(openingOf(recording).opening);

  // Ticks 0 and 1 deliver, in tick 2 the ponger crashes, in tick 3 it comes back and has forgotten its count.
  const [crash, restart] = [1 + 1 / 2, 1 + 2 / 3];
  expect(run.columns.count).toBe(2);
  expect(run.marks.map(({ kind, at, tick, actors }) => [kind, at, tick, actors])).toEqual([
    ['fault', crash, 2, ['Ponger']],
    ['fault', restart, 3, ['Ponger']],
    ['finding', restart, 3, []],
  ]);
  expect(opensAt.at).toBe(restart);
  const look = (at: number) => {
    const { tick, delivered, actor } = session.moment({ at, actor: 'Ponger' });
    return [tick, delivered?.type, actor!.state, actor!.before, actor!.context];
  };
  const [fresh, counted] = [0, 1].map((count) => expect.objectContaining({ count }));
  expect(look(0)).toEqual([0, 'Ping', 'awaitingPing', fresh, counted]);
  expect(look(1)).toEqual([1, 'Pong', 'awaitingPing', undefined, counted]);
  expect(look(crash)).toEqual([2, undefined, 'crashed', counted, {}]);
  expect(look(restart)).toEqual([3, undefined, 'awaitingPing', {}, fresh]);
  const links = session.explain().parts.flatMap(({ text, at }) => (at === undefined ? [] : [[text, at]]));
  expect(links).toContainEqual(['tick 2', crash]);
  expect(links).toContainEqual(['tick 3', restart]);
});

test('a party that crashes, and comes back, is shown so in its lane and at each moment', async () => {
  let [down, anew] = [0, 0];
  for (let seed = 0; seed < 25; seed++) {
    const file = join(folder, `${seed}.yaml`);
    writeFileSync(
      file,
      `name: a\nmachine: ping-pong\nconfig: { limit: 3 }\nnetwork: { crashes: { max: 2, recover: true } }\nschedule: { kind: random, seed: ${seed} }\n`,
    );
    const { scenario, machine } = await loadScenario(file, machines);
    // States of both parties behind each step of the run, and the deliveries by then; those in front of each delivery but the first.
    const steps: { readonly delivered: number; readonly states: { readonly [name: string]: string } }[] = [];
    const expected: { readonly [name: string]: string }[] = [];
    simulate(scenario, machine, {
      observe: (run) => {
        const states = () => Object.fromEntries(run.localStates.map(({ name, state }) => [name, state]));
        let before = states();
        run.messages$.subscribe(({ index }) => {
          if (index > 0) expected.push(before);
        });
        run.ticks$.subscribe(() => {
          before = states();
          steps.push({ delivered: run.outcome.deliveries, states: before });
        });
        run.faults$.subscribe(({ kind }) => {
          if (kind === 'restart') anew++;
        });
      },
    });
    const session = new Session();
    const { run } = await session.open(openingOf(file).opening);
    const lanes = ['order', 'time'].map((axis) => new Lanes(run, axis as 'order' | 'time'));

    // Each step of the run is a moment: a delivery, or what the network did.
    let at = -1;
    for (const [tick, { delivered, states }] of steps.entries()) {
      at = lanes[0]!.beside(at, 1);
      expect([seed, tick, lanes[0]!.beside(lanes[0]!.beside(at, -1), 1)]).toEqual([seed, tick, at]);
      expect([seed, tick, Math.floor(at) + 1]).toEqual([seed, tick, delivered]);
      for (const { name } of run.actors) {
        const moment = session.moment({ at, actor: name });
        const shown = moment.states.find((one) => one.actor === name)!.state;
        expect([seed, tick, at, shown, moment.actor!.state]).toEqual([
          seed,
          moment.tick,
          moment.at,
          states[name],
          states[name],
        ]);
        if (shown === 'crashed') down++;
      }
    }
    expect([seed, lanes[0]!.last]).toEqual([seed, at]);
    for (const [at, states] of expected.entries())
      for (const [actor, { name }] of run.actors.entries()) {
        for (const one of lanes) {
          const place = one.x[at + 1]!;
          expect([seed, at, name, run.states[one.stateAt(actor, place)]!.name]).toEqual([
            seed,
            at,
            name,
            states[name],
          ]);
        }
      }
  }
  expect(Math.min(down, anew)).toBeGreaterThan(5);
});
