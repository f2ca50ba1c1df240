import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { machines } from '../../manifests/machines.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { simulate } from '../../scenarios/simulate.ts';
import { openingOf } from '../open/opening.ts';
import { Lanes } from '../page/lanes.ts';
import { Session } from './session.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-view-'));

test('a party that crashes, and comes back, is shown so in its lane and at each moment', async () => {
  let [down, anew] = [0, 0];
  for (let seed = 0; seed < 25; seed++) {
    const file = join(folder, `${seed}.yaml`);
    writeFileSync(
      file,
      `name: a\nmachine: ping-pong\nconfig: { limit: 3 }\nnetwork: { crashes: { max: 2, recover: true } }\nschedule: { kind: random, seed: ${seed} }\n`,
    );
    const { scenario, machine } = await loadScenario(file, machines);
    // States of both parties in front of each delivery but the first, and at the end.
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
        });
        run.faults$.subscribe(({ kind }) => {
          if (kind === 'restart') anew++;
        });
      },
    });
    const session = new Session();
    const { run } = await session.open(openingOf(file).opening);
    const lanes = ['order', 'time'].map((axis) => new Lanes(run, axis as 'order' | 'time'));

    for (const [at, states] of expected.entries())
      for (const [actor, { name }] of run.actors.entries()) {
        const moment = session.moment({ at, actor: name });
        const shown = moment.states.find((one) => one.actor === name)!.state;
        expect([seed, at, name, shown, moment.actor!.state]).toEqual([
          seed,
          at,
          name,
          states[name],
          states[name],
        ]);
        for (const one of lanes) {
          const place = one.x[at + 1]!;
          expect([seed, at, name, run.states[one.stateAt(actor, place)]!.name]).toEqual([
            seed,
            at,
            name,
            states[name],
          ]);
        }
        if (shown === 'crashed') down++;
      }
  }
  rmSync(folder, { recursive: true });
  expect(Math.min(down, anew)).toBeGreaterThan(5);
});
