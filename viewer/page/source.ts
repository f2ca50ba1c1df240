import type { Opening } from '../protocol.ts';

/** What came inside of the page, when it is one file. */
const inside = (id: string): string | undefined => document.getElementById(id)?.textContent ?? undefined;

/** What the page was opened with. */
export async function opening(): Promise<Opening> {
  const own = inside('opening');
  return (own === undefined ? await (await fetch('opening.json')).json() : JSON.parse(own)) as Opening;
}

/** The simulator, in a thread of its own. */
export async function simulator(): Promise<Worker> {
  const packed = inside('simulator');
  if (packed === undefined) return new Worker(new URL('simulator.js', document.baseURI), { type: 'module' });
  const bytes = Uint8Array.from(atob(packed), (one) => one.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const script = new Blob([await new Response(unpacked).blob()], { type: 'text/javascript' });
  return new Worker(URL.createObjectURL(script));
}

let charts: Readonly<Record<string, string>> | undefined;

/** The statechart of a state machine as SVG. Errors: when there is none. */
export async function chart(machine: string): Promise<string> {
  const own = inside('charts');
  if (own !== undefined) {
    charts ??= JSON.parse(own) as Readonly<Record<string, string>>;
    const found = charts[machine];
    if (found === undefined) throw new Error(`found no statechart of ${machine}`);
    return found;
  }
  const answer = await fetch(`chart?machine=${encodeURIComponent(machine)}`);
  if (!answer.ok) throw new Error(`found no statechart of ${machine}`);
  return answer.text();
}
