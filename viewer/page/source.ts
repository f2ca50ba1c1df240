import type { Catalogue, Opening } from '../protocol.ts';

/** What came inside of the page, when it is one file. */
const inside = (id: string): string | undefined => document.getElementById(id)?.textContent ?? undefined;

/** True where a server is behind the page; false for a page that is one file. */
export const isServed = inside('opening') === undefined;

/** What the page was opened with. Errors: what is wrong with it. */
export async function opening(): Promise<Opening | Catalogue> {
  const found = (isServed ? await (await fetch('opening.json')).json() : JSON.parse(inside('opening')!)) as
    | Opening
    | Catalogue
    | { readonly kind: 'refused'; readonly message: string };
  if (found.kind === 'refused') throw new Error(found.message);
  return found;
}

/** The simulator, in a thread of its own. */
export async function simulator(): Promise<Worker> {
  const packed = inside('simulator');
  if (packed === undefined) return new Worker(new URL('simulator.js', document.baseURI), { type: 'module' });
  const text = atob(packed);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = text.charCodeAt(index);
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const script = new Blob([await new Response(unpacked).blob()], { type: 'text/javascript' });
  return new Worker(URL.createObjectURL(script));
}

const charts = new Map<string, Promise<string>>();

/** The statechart of a state machine as SVG, looked for once. Errors: when there is none. */
export function chart(machine: string): Promise<string> {
  const known = charts.get(machine) ?? foundChart(machine);
  charts.set(machine, known);
  return known;
}

async function foundChart(machine: string): Promise<string> {
  const own = inside('charts');
  const found =
    own === undefined
      ? await servedChart(machine)
      : (JSON.parse(own) as Readonly<Record<string, string>>)[machine];
  if (found === undefined) throw new Error(`found no statechart of ${machine}`);
  return found;
}

async function servedChart(machine: string): Promise<string | undefined> {
  const answer = await fetch(`chart?machine=${encodeURIComponent(machine)}`);
  return answer.ok ? answer.text() : undefined;
}
