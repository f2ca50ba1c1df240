import { element, escapeXml, svgNumber } from '../svg.ts';

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

const cell = 64;
const margin = 48;

/** Where a router is drawn: rows by the first coordinate; routers with other addresses stand in a square. */
function placesOf({ routers }: ChipletLogHeader): readonly (readonly [number, number])[] {
  const side = Math.ceil(Math.sqrt(routers.length));
  return routers.map((address, router) =>
    address.length === 2 ? [address[1]!, address[0]!] : [router % side, Math.floor(router / side)],
  );
}

/** Colours from little to much use. */
function colourOf(share: number): string {
  const hue = 220 - 220 * share;
  return `hsl(${svgNumber(hue)} 80% ${svgNumber(72 - 30 * share)}%)`;
}

/**
 * Draws how much each link was used: routers as squares, each direction of a link as a bar, blue for little and red for much.
 *
 * Details: use is flits a cycle, and colours go up to the busiest link. Every bar has a tooltip. Wires around the sides are drawn as short stubs.
 */
export function heatMap(header: ChipletLogHeader, records: readonly HopRecord[]): string {
  const places = placesOf(header);
  const { uses, cycles } = usesOf(records);
  const most = Math.max(1, ...uses.map(({ flits }) => flits));
  const columns = Math.max(...places.map(([x]) => x)) + 1;
  const rows = Math.max(...places.map(([, y]) => y)) + 1;
  const width = 2 * margin + cell * columns;
  const height = 2 * margin + cell * rows;
  const centre = (at: number): number => margin + cell * (at + 0.5);
  const bars = [...uses]
    .sort((a, b) => a.flits - b.flits)
    .map(({ from, to, flits }) => {
      const [x, y] = places[from]!;
      const [toX, toY] = places[to]!;
      const [dx, dy] = [Math.sign(toX - x), Math.sign(toY - y)];
      const far = Math.abs(toX - x) + Math.abs(toY - y) > 1;
      const reach = far ? -0.4 : 1;
      const [sideX, sideY] = [-5 * dy, 5 * dx];
      const share = flits / most;
      return element(
        'line',
        {
          x1: centre(x) + 14 * dx * Math.sign(reach) + sideX,
          y1: centre(y) + 14 * dy * Math.sign(reach) + sideY,
          x2: centre(x) + (cell * reach - 14 * Math.sign(reach)) * dx + sideX,
          y2: centre(y) + (cell * reach - 14 * Math.sign(reach)) * dy + sideY,
          stroke: colourOf(share),
          'stroke-width': svgNumber(2 + 5 * share),
          'data-from': from,
          'data-to': to,
          'data-flits': flits,
        },
        element('title', {}, `${from} to ${to}: ${flits} flits, ${(flits / cycles).toFixed(4)} a cycle`),
      );
    });
  const squares = places.map(([x, y], router) =>
    element(
      'g',
      {},
      element('rect', {
        x: centre(x) - 13,
        y: centre(y) - 13,
        width: 26,
        height: 26,
        rx: 4,
        fill: '#f4f4f4',
        stroke: '#777',
      }),
      element(
        'text',
        { x: centre(x), y: centre(y) + 3.5, 'text-anchor': 'middle', 'font-size': 9 },
        header.routers[router]!.join(','),
      ),
    ),
  );
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      'font-family': 'sans-serif',
      role: 'img',
    },
    element('title', {}, escapeXml(`${header.name}: use of links`)),
    element('rect', { width, height, fill: '#ffffff' }),
    element('text', { x: margin, y: 22, 'font-size': 14 }, escapeXml(header.name)),
    element(
      'text',
      { x: margin, y: 38, 'font-size': 10, fill: '#555' },
      `busiest link ${most} flits in ${cycles} cycles, ${(most / cycles).toFixed(3)} a cycle`,
    ),
    ...bars,
    ...squares,
  )}\n`;
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
