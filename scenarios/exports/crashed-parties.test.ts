import { expect, test } from 'vitest';
import { machines } from '../../manifests/machines.ts';
import { parseScenario } from '../load.ts';
import { simulate } from '../simulate.ts';
import { exportText } from './exporter.ts';
import { itf } from './itf.ts';
import { vcd } from './vcd.ts';

interface Moment {
  readonly tick: number;
  readonly Pinger: { readonly state: string; readonly context: object };
  readonly Ponger: { readonly state: string; readonly context: object };
}

/** Both parties behind each tick by the run itself, the export of the run as text, and how often a party began anew. */
async function run(exporter: typeof itf, seed: number) {
  const text =
    'name: a\nmachine: ping-pong\nconfig: { limit: 3 }\nnetwork: { crashes: { max: 1, recover: true } }\n';
  const { scenario, machine } = await parseScenario(text, 'a.yaml', machines);
  const seen: Moment[] = [];
  let [restarts, end] = [0, () => ''];
  simulate(scenario, machine, {
    schedule: { kind: 'random', seed },
    observe: (run) => {
      end = exportText(exporter, run);
      run.faults$.subscribe(({ kind }) => {
        if (kind === 'restart') restarts++;
      });
      const partyOf = (name: string) => {
        const { state, context } = run.localState(name)!;
        return structuredClone({ state, context });
      };
      run.ticks$.subscribe((tick) => {
        seen.push({ tick, Pinger: partyOf('Pinger'), Ponger: partyOf('Ponger') });
      });
    },
  });
  return { seen, restarts, text: end() };
}

test('itf has a party that crashed as crashed, and as it begins anew', async () => {
  let [down, anew] = [0, 0];
  for (let seed = 0; seed < 30; seed++) {
    const { seen, restarts, text } = await run(itf, seed);
    const { states } = JSON.parse(text) as { states: readonly Moment[] };
    expect(states.slice(1).map(({ tick, Pinger, Ponger }) => ({ tick, Pinger, Ponger }))).toEqual(seen);
    if (text.includes('"crashed"')) down++;
    anew += restarts;
  }
  expect(Math.min(down, anew)).toBeGreaterThan(5);
});

test('vcd shows when a party crashes, and when it begins anew', async () => {
  let compared = 0;
  for (let seed = 0; seed < 30; seed++) {
    const { seen, text } = await run(vcd, seed);
    const names = new Map(
      [...text.matchAll(/^\$comment state (\d+) is (.*) \$end$/gm)].map(([, code, name]) => [
        Number(code),
        name!,
      ]),
    );
    const id = /\$scope module Pinger \$end\n\$var reg \d+ (\S+) state/.exec(text)![1]!;
    const wave = new Map<number, string>();
    let time = 0;
    for (const line of text.split('$enddefinitions $end\n')[1]!.split('\n')) {
      if (line.startsWith('#')) time = Number(line.slice(1));
      const [value, of] = line.split(' ');
      if (of === id) wave.set(time, names.get(Number.parseInt(value!.slice(1), 2))!);
    }
    let shown = '';
    for (const { tick, Pinger } of seen) {
      shown = wave.get(tick) ?? shown;
      expect(`${tick} ${shown}`).toBe(`${tick} ${Pinger.state}`);
      if (shown === 'crashed') compared++;
    }
  }
  expect(compared).toBeGreaterThan(5);
});
