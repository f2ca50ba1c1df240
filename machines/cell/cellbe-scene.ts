import type { DataArbiterContext } from '../../actors/cell/eib/data-arbiter.ts';
import type { Run } from '../../kernel/run.ts';
import { actorsNamed, type Scene } from '../scene.ts';
import type { CellbeConfig } from './cellbe-config.ts';
import { ringsScene } from './scene.ts';

/** An Element Interconnect Bus at a moment: what its data arbiter knows of the packets on the rings. */
export function cellbeScene({ elements, ringsPerDirection: K }: CellbeConfig, run: Run): Scene {
  const { now } = run;
  const [arbiter] = actorsNamed<DataArbiterContext>(run, /^Eib\.DataArbiter$/);
  const { scheduler } = arbiter!.context;
  const moving = scheduler.riding.filter(({ end }) => end > now);
  const units = new Map(actorsNamed(run, /^Eib\.\w+$/).map((unit) => [unit.name, unit]));
  const nodes = elements.map((name, element) => {
    const { name: actor, state, waiting } = units.get(`Eib.${name}`)!;
    const sends = moving.filter(({ packet }) => packet.source === element).length;
    const gets = moving.filter(({ packet }) => packet.target === element).length;
    const isBusy = sends + gets > 0;
    return {
      tone: isBusy ? ('work' as const) : waiting ? ('wait' as const) : ('rest' as const),
      words: [name, isBusy ? `${sends} out, ${gets} in` : state] as const,
      actor,
      tooltip: `${actor}: ${state}; sends ${sends} packets, receives ${gets}`,
    };
  });
  const transfers = moving.map(({ packet: { source: src, target: dst, size }, row, end }) => ({
    src,
    dst,
    dir: Math.floor(row / K),
    ring: row % K,
    tooltip: `${size} bytes from ${elements[src]} to ${elements[dst]}, direction ${Math.floor(row / K)}, ring ${row % K}, until bus cycle ${end}`,
  }));
  const { eligibleCount } = scheduler;
  return ringsScene(
    `bus cycle ${now}; packets on the rings: ${moving.length}, waiting for a free path: ${eligibleCount}`,
    nodes,
    K,
    transfers,
    [
      { tone: 'work', words: 'sends or receives packets' },
      { tone: 'wait', words: 'its program waits' },
      { tone: 'rest', words: 'no packet of its own on a ring' },
    ],
  );
}
