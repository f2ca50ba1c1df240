import { type Exploration, Explorer } from '../kernel/explore/explorer.ts';
import { cellConfig, cellPrograms } from '../machines/cell/config.ts';
import { cellMachine } from '../machines/cell.ts';
import type { Assembly } from '../machines/machine.ts';
import { twoPhaseCommit } from '../machines/protocols/two-phase-commit.ts';
import { measure, reportMeasurement, type Variant } from './measure.ts';

/*
 * The exhaustive checker on two-phase commit and on a Cell machine of three SPUs, one ring in each direction and three transfers that need it at once. A transition is one delivery that was
 * carried out. One thread, contexts and tables made anew in each run. Arguments: `--json`; `--large` explores two-phase commit of 9 resource managers
 * once (10,340,352 states; needs `node --max-old-space-size=8192` at most), and tells how much memory that takes.
 */

type Make = () => Assembly;

const commit =
  (resourceManagers: number): Make =>
  () =>
    twoPhaseCommit.assemble({
      name: 'two-phase commit',
      config: { resourceManagers },
      programs: [],
      mutants: [],
      scheduled: true,
    });

const config = cellConfig.parse({ N: 3, K: 1, memSize: 64 });
const cell =
  (size: number): Make =>
  () =>
    cellMachine.assemble({
      name: 'three transfers',
      config,
      programs: cellPrograms.parse([
        [[0, 'put', 0, 1, 32, size]],
        [[0, 'put', 0, 2, 32, size]],
        [[0, 'get', 0, 1, 32, size]],
      ]),
      mutants: [],
      scheduled: true,
    });

function explored(make: Make, reduction: boolean): Exploration {
  const { deliveriesPerTickMax = 1_000_000 } = make();
  const found = new Explorer(() => make().wiring, {
    reduction,
    deliveriesPerTickMax,
    statesMax: 20_000_000,
  }).toEnd();
  if (found.verdict !== 'ok') throw new Error(`expected the verdict ok, found ${found.verdict}`);
  return found;
}

/** A variant for each unit, so that states and transitions are told apart; both are counted in the same run. */
function variant(name: string, make: Make, reduction: boolean, unit: 'states' | 'transitions'): Variant {
  return { name, run: () => ({ work: explored(make, reduction)[unit] }) };
}

const asJson = process.argv.includes('--json');
const grouped = (count: number): string => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');

if (process.argv.includes('--large')) large();
else
  for (const [title, make] of [
    ['two-phase commit, 5 resource managers', commit(5)],
    ['two-phase commit, 7 resource managers', commit(7)],
    ['Cell, N=3 K=1, three transfers of 4 bytes', cell(4)],
  ] as const) {
    const { states, transitions } = explored(make, true);
    const full = title.includes('7') ? undefined : explored(make, false).transitions;
    const against = full === undefined ? '' : `, ${grouped(full)} without reduction`;
    if (!asJson)
      console.log(`${title}: ${grouped(states)} states, ${grouped(transitions)} transitions${against}`);
    for (const unit of ['states', 'transitions'] as const) {
      const variants = [variant('reduced', make, true, unit)];
      if (full !== undefined) variants.push(variant('every order', make, false, unit));
      console.log(reportMeasurement(measure(variants, { unit, rounds: 3 }), asJson));
    }
    console.log('');
  }

/** The largest classical instance, once. */
function large(): void {
  const began = process.hrtime.bigint();
  const { states, transitions, depth } = explored(commit(9), true);
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const { rss } = process.memoryUsage();
  if (asJson) console.log(JSON.stringify({ states, transitions, depth, seconds, rss }));
  else
    console.log(
      `two-phase commit, 9 resource managers: ${grouped(states)} states, ${grouped(transitions)} transitions, ${depth} ticks deep in ${seconds.toFixed(1)} s: ${grouped(states / seconds)} states/s, ${grouped(transitions / seconds)} transitions/s, ${grouped(rss / 2 ** 20)} MiB, ${(rss / states).toFixed(0)} bytes a state`,
    );
}
