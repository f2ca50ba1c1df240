import type { Drawing } from '../pictures/drawing.ts';
import { linkMap } from '../pictures/heat-maps.ts';

/** First record of the event log of a network. */
export interface ChipletLogHeader {
  readonly format: 'chiplet-log/1';
  readonly name: string;
  /** The address of each router. */
  readonly routers: readonly (readonly number[])[];
}

/** A flit that goes over a link: the cycle, the routers at its ends, the port it leaves by. */
export interface HopRecord {
  readonly t: number;
  readonly from: number;
  readonly to: number;
  readonly port: number;
  readonly channel: number;
  readonly flit: number;
}

interface Use {
  readonly from: number;
  readonly to: number;
  flits: number;
}

/** Flits by link, and the last cycle in which one was under way. */
function usesOf(records: readonly HopRecord[]): { readonly uses: readonly Use[]; readonly cycles: number } {
  const uses = new Map<string, Use>();
  let cycles = 1;
  for (const { from, to, port, t } of records) {
    const key = `${from}.${port}`;
    const use = uses.get(key) ?? { from, to, flits: 0 };
    use.flits++;
    uses.set(key, use);
    cycles = Math.max(cycles, t + 1);
  }
  return { uses: [...uses.values()], cycles };
}

/** Where a router is drawn: rows by the first coordinate; routers with other addresses stand in a square. */
export function placesOf({
  routers,
}: Pick<ChipletLogHeader, 'routers'>): readonly (readonly [number, number])[] {
  const side = Math.ceil(Math.sqrt(routers.length));
  return routers.map((address, router) =>
    address.length === 2 ? [address[1]!, address[0]!] : [router % side, Math.floor(router / side)],
  );
}

/** Draws how much each direction of each link was used, in flits a cycle. */
export function heatMap({ name, routers }: ChipletLogHeader, records: readonly HopRecord[]): Drawing {
  const places = placesOf({ routers });
  const { uses, cycles } = usesOf(records);
  const most = uses.reduce((busiest, { flits }) => Math.max(busiest, flits), 0);
  const address = (router: number): string => routers[router]!.join(',');
  return linkMap({
    title: name,
    unit: 'flits a cycle',
    subtitle: `busiest link ${most} flits in ${cycles} cycles, ${(most / cycles).toFixed(3)} a cycle`,
    nodes: places.map(([column, row], router) => ({
      column,
      row,
      label: address(router),
      tooltip: `router ${address(router)}`,
    })),
    links: uses.map(({ from, to, flits }) => ({
      from,
      to,
      value: flits / cycles,
      tooltip: `${address(from)} to ${address(to)}: ${flits} flits, ${(flits / cycles).toFixed(4)} a cycle`,
    })),
  });
}

/** The same as text: for each router the flits that it has sent on, in percent of the busiest one, and the busiest links below. */
export function heatSketch(header: ChipletLogHeader, records: readonly HopRecord[], width: number): string {
  const places = placesOf(header);
  const { uses, cycles } = usesOf(records);
  const sent = new Array<number>(header.routers.length).fill(0);
  for (const { from, flits } of uses) sent[from] = sent[from]! + flits;
  const most = Math.max(1, ...sent);
  const columns = Math.max(...places.map(([x]) => x)) + 1;
  const rows = Math.max(...places.map(([, y]) => y)) + 1;
  const busiest = [...uses]
    .sort((a, b) => b.flits - a.flits || a.from - b.from || a.to - b.to)
    .slice(0, 5)
    .map(
      ({ from, to, flits }) =>
        `  ${header.routers[from]!.join(',')} -> ${header.routers[to]!.join(',')}: ${flits} flits, ${(flits / cycles).toFixed(3)} a cycle\n`,
    )
    .join('');
  const head = `flits sent on by each router, in percent of ${most}; ${cycles} cycles\n`;
  if (5 * columns > width) return `${head}${busiest}`;
  const grid = Array.from({ length: rows }, () => new Array<string>(columns).fill('    .'));
  for (const [router, [x, y]] of places.entries())
    grid[y]![x] = String(Math.round((100 * sent[router]!) / most)).padStart(5);
  return `${head}${grid.map((row) => `${row.join('')}\n`).join('')}busiest links\n${busiest}`;
}
