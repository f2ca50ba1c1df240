import type { InterchipletResult } from '../../../machines/chiplet/interchiplet.ts';
import type {
  InterchipletConfig,
  InterchipletPrograms,
} from '../../../machines/chiplet/interchiplet-config.ts';
import type { Reference } from '../../with-reference.ts';

/** Bits of `desc` of transactions that are acknowledged, and of those that go to the controller (chiplet specification 9.2, 9.7). */
const acknowledged = 0xf0000;
const controlled = 0xe0000;

type Round = InterchipletResult['rounds'][number];

/** What a network without contention makes of a trace, line by line (5.5, 9.7), in the order in which transactions are over. */
export function plainDelays(bench: readonly string[]): readonly string[] {
  const lines = bench.map((line) => {
    const [source, target, sx, sy, dx, dy, flits, desc] = line.split(' ').map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const [toX, toY] = desc & controlled ? [0, 0] : [dx, dy];
    const way = 5 * (Math.abs(sx - toX) + Math.abs(sy - toY));
    const arrival = source + way + flits - 1;
    const latencies = [flits - 1, arrival - source];
    let over = arrival;
    if (desc & acknowledged) {
      const injected = Math.max(arrival, target);
      // What is planned in the turn before misses the turn of its time (5.3).
      const back = way + (injected - arrival <= 1 ? 1 : 0);
      latencies.push(0, back);
      over = injected + back;
    }
    return { over, text: [source, sx, sy, dx, dy, desc, latencies.length, ...latencies].join(' ') };
  });
  return lines.sort((one, other) => one.over - other.over).map(({ text }) => text);
}

/** Transactions that a program begins: a transfer is one of its sender, a launch one of the launcher. */
const beginnings = ['send', 'barrier', 'lock', 'unlock', 'launch'];

/** Follows a program through what it logged; gives the cycle in which it ends, or what is wrong. */
function endOf(
  { x, y, script }: InterchipletPrograms[number],
  log: readonly (readonly (string | number)[])[],
): number | string {
  let [cycle, at] = [0, 0];
  for (const [kind, ...args] of script) {
    if (kind === 'compute') cycle += Number(args[0]);
    if (kind === 'compute' || kind === 'sleep') continue;
    const row = log[at++];
    const what = `${kind} number ${at} of (${x}, ${y})`;
    if (row === undefined || row[0] !== kind || args.some((one, k) => row[k + 1] !== one))
      return `${what} is logged as ${JSON.stringify(row)}`;
    const [issued, synced] = row.slice(-2).map(Number) as [number, number];
    if (issued !== cycle) return `${what} is issued at ${issued}, not at ${cycle}`;
    if (!(synced >= issued)) return `${what} goes on at ${synced}, before ${issued}`;
    cycle = synced;
  }
  return at === log.length ? cycle : `(${x}, ${y}) logs ${log.length} steps, not ${at}`;
}

/** What is wrong in a round by itself; `traced` is the trace whose latencies it is told with. */
function wrongIn(
  round: Round,
  programs: InterchipletPrograms,
  traced: readonly string[] | undefined,
): string | undefined {
  let cycles = 0;
  for (const program of programs) {
    const end = endOf(program, round.logs[`${program.x},${program.y}`] ?? []);
    if (typeof end === 'string') return end;
    cycles = Math.max(cycles, end / program.clockRate);
  }
  if (Math.abs(cycles - round.cycles) > 1e-9 * cycles)
    return `it takes ${round.cycles} cycles, not ${cycles}`;
  const begun = programs.flatMap(({ script }) => script.filter(([kind]) => beginnings.includes(kind))).length;
  if (round.bench.length !== begun) return `its trace has ${round.bench.length} transactions, not ${begun}`;
  const times = round.bench.map((line) => Number(line.split(' ')[0]));
  if (times.some((time, k) => k > 0 && time < times[k - 1]!)) return 'its trace is not in the order of time';
  if (traced === undefined) return undefined;
  const delays = plainDelays(traced);
  const k = delays.findIndex((line, at) => line !== round.delay[at]);
  return k >= 0 || delays.length !== round.delay.length
    ? `line ${k + 1} of its latencies is "${round.delay[k]}", not "${delays[k]}"`
    : undefined;
}

/** What is wrong in the rounds of a coordinator, as they are told; nothing when all is as the specification has it (9.1, 9.5 to 9.7). */
export function wrongInRounds(
  { rounds: most, error, previousCycles }: InterchipletConfig,
  programs: InterchipletPrograms,
  { rounds, converged, cycles }: InterchipletResult,
): string | undefined {
  let previous = previousCycles;
  for (const [at, round] of rounds.entries()) {
    const isLast = at === rounds.length - 1;
    if (round.round !== at + 1) return `round ${at + 1} is told as number ${round.round}`;
    // After the last round no network runs: it is told with what it was given.
    const wrong = wrongIn(round, programs, (isLast ? rounds[at - 1] : round)?.bench);
    if (wrong !== undefined) return `round ${round.round}: ${wrong}`;
    const agrees = previous !== undefined && Math.abs(round.cycles - previous) / round.cycles < error;
    if (round.converged !== agrees) return `round ${round.round} is told as ${agrees ? 'not ' : ''}converged`;
    if (agrees !== isLast && !(isLast && rounds.length === most))
      return `${rounds.length} rounds, of which number ${round.round} ${agrees ? 'agrees' : 'does not agree'}`;
    previous = round.cycles;
  }
  const last = rounds.at(-1);
  return cycles !== last?.cycles || converged !== last.converged
    ? 'the last round is not what it came to'
    : undefined;
}

/** Rounds agree with their programs, their traces and each other. */
export const roundsKeepTheirBooks: Reference =
  (run, { config, programs }, assembly) =>
  () =>
    wrongInRounds(
      config as InterchipletConfig,
      programs as InterchipletPrograms,
      assembly.result(run) as InterchipletResult,
    );
