import { dirname } from 'node:path';
import { type Command, Option } from 'commander';
import type { z } from 'zod';
import { cycleText } from '../../kernel/wait-cycle.ts';
import { type NetworkConfig, networkConfig } from '../../machines/chiplet/config.ts';
import { NetworkRun, type PacketDelay } from '../../machines/chiplet/network-run.ts';
import { networkMisfits, planOf } from '../../machines/chiplet/plan.ts';
import type { NetworkResult } from '../../machines/chiplet/result.ts';
import { readTransactions, type TransactionRequest } from '../../machines/chiplet/transaction-text.ts';
import { didYouMean } from '../../scenarios/nearest.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { Interrupt } from '../interrupt.ts';
import { writeOutput } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { makeFolder } from './output-folder.ts';
import { popnetFile, popnetTrace, traceError } from './popnet-input.ts';
import { configurationEcho, progressLine, resultBlock } from './popnet-report.ts';
import { significantDigits } from './significant-digits.ts';

interface PopnetWords {
  readonly P?: boolean;
  readonly l?: boolean;
  readonly I?: string;
  readonly G?: string;
  readonly C?: string;
  readonly D?: string;
  readonly m: string;
  readonly ties?: string;
  readonly random?: string;
  readonly firstStart?: string;
  readonly startTimes?: 'exact' | 'whole';
  readonly reopen?: boolean;
  readonly strict?: boolean;
  readonly correctWires?: boolean;
  readonly json?: boolean;
}

/** Options as commander gives them: numbers are texts. */
export type PopnetOptions = PopnetWords & Readonly<Partial<Record<(typeof numbers)[number][0], string>>>;

/** Options of the network with a number each, and what they are. */
export const numbers = [
  ['A', 'routers per dimension'],
  ['c', 'numbers in the address of a router'],
  ['V', 'virtual channels per port'],
  ['B', 'input buffer of a channel, in flits'],
  ['O', 'output buffer of a port, in flits'],
  ['F', 'flit size in words of 64 bits'],
  ['L', 'link length in micrometres'],
  ['T', 'cycles until the simulation ends'],
  ['r', 'random seed'],
  ['R', 'routing: 0 mesh, 1 torus, 2 mesh of chiplets, 3 star of chiplets, 4 graph, 5 reconfigured graph'],
] as const;

/** `lockstep chiplet popnet`: the network with the original's command line (chiplet specification 5.1, 5.8). */
export function declarePopnet(command: Command, session: Session): void {
  for (const [letter, what] of numbers) command.option(`-${letter} <number>`, what);
  command
    .option('-I <file>', 'trace: T, source, target, flits in each line')
    .option('-G <file.gv>', 'graph in DOT, for -R 4 and 5')
    .option('-C <file>', 'periods and the edges of each, for -R 5')
    .option('-m <cycles>', 'cycles between two reports of progress', '2000')
    .option('-D <file>', 'write the delay of each packet')
    .option('-P', 'the trace holds transactions; -D gets their latency records')
    .option('-l', 'a flit that arrives at a full buffer is lost, and its packet with it')
    .option('--ties <order>', 'events of equal time: fifo, heap as in the seed edition, or legosim')
    .option('--random <source>', 'shared: one stream as the original; perRouter: one a router')
    .option(
      '--first-start <time>',
      "delays of each router's first packet: trace, or zero as in the seed edition",
    )
    .addOption(
      new Option(
        '--start-times <form>',
        'start times in -D: exact, or whole without their fractions, as the LegoSim edition writes them (default: by --ties)',
      ).choices(['exact', 'whole']),
    )
    .option('--reopen', 'a full injection queue opens again after an ejection, too')
    .option('--correct-wires', 'with -R 2, wires at port 5 as fast as all inside a chiplet')
    .option('--strict', 'refuse a command line without -F or -L')
    .option('--json', 'one JSON object on standard output')
    .allowUnknownOption()
    .allowExcessArguments()
    .argument('[words...]')
    .usage('-I trace [-A 9 -c 2 -V 3 -B 12 -O 12 -F 4 -L 1000 -T 20000 -r 1 -R 0] [options]')
    .action(async (words: readonly string[], options: PopnetOptions) => {
      if (words.includes('-?')) {
        session.terminal.out(command.helpInformation());
        return;
      }
      const [stray] = words;
      if (stray !== undefined) {
        const known = command.options.map(({ short, long }) => long ?? short ?? '');
        throw new UsageError(
          `E-OPT unknown ${stray.startsWith('-') ? 'option' : 'word'} "${stray}"`,
          `${didYouMean(stray, known, 'options')}; usage: ${command.usage()}`,
        );
      }
      session.exitCode = await popnet(options, session, command.usage());
    });
}

async function popnet(options: PopnetOptions, { terminal }: Session, usage: string): Promise<number> {
  const began = performance.now();
  if (options.I === undefined) throw new UsageError('E-OPT found no -I', `usage: ${usage}`);
  const config = configOf(options, usage);
  const every = numberOf('-m', options.m);
  if (!(every >= 1)) throw new UsageError(`E-OPT -m: found ${options.m}`, 'expected cycles, at least 1');
  const shape = { side: config.A, coordinates: config.c };
  const requests = options.P === true ? requestsOf(options.I, config) : undefined;
  const packets = requests?.map(({ packet }) => packet) ?? popnetTrace(options.I, shape);
  const network = new NetworkRun(planOf(config, packets, requests), config.L);
  const delays: string[] = [];
  if (options.D !== undefined) makeFolder(dirname(options.D), '-D');
  if (options.D !== undefined) {
    if (requests) network.followTransactions(requests, (line) => delays.push(line));
    else {
      const whole = (options.startTimes ?? (config.ties === 'legosim' ? 'whole' : 'exact')) === 'whole';
      network.follow((one) => delays.push(delayLine(whole ? { ...one, time: Math.trunc(one.time) } : one)));
    }
  }
  terminal.err(configurationEcho(config, options.I));
  const interrupt = new Interrupt(terminal);
  try {
    for (let cycle = every; cycle < config.T; cycle += every) {
      if (!network.run.ended) network.until(cycle);
      // A network at rest is reported until the end that was asked for; the end that holds without -T is too far away.
      if (network.run.ended && (options.T === undefined || network.run.outcome.failure)) break;
      terminal.err(progressLine(cycle));
      terminal.err(resultBlock(network.result(cycle)));
      await new Promise((resolve) => setImmediate(resolve));
      if (interrupt.asked) break;
    }
    if (!interrupt.asked) network.toEnd();
  } finally {
    interrupt.release();
  }
  const result = network.result();
  const { verdict, failure } = network.run.outcome;
  if (failure) throw failure.error;
  terminal.err(resultBlock(result));
  if (verdict === 'deadlock') terminal.err(deadlockText(network));
  else if (!interrupt.asked) terminal.err(limitText(result, packets.length, config.T));
  if (options.json) terminal.out(`${JSON.stringify(reportOf(result, (performance.now() - began) / 1000))}\n`);
  if (options.D !== undefined) writeOutput(terminal, options.D, delays.map((line) => `${line}\n`).join(''));
  if (interrupt.asked) return exitCodes.interrupted;
  return verdict === 'deadlock' ? exitCodes.failed : exitCodes.ok;
}

/** The requests of a transaction trace. Errors: E-OPT, E-FILE, E-TRACE, E-ADDR. */
function requestsOf(path: string, config: NetworkConfig): readonly TransactionRequest[] {
  if (config.c !== 2 || config.random !== 'shared')
    throw new UsageError('E-OPT -P: found another shape', 'expected -c 2 and --random shared');
  const requests = readTransactions(popnetFile(path, '-I'), { side: config.A, coordinates: config.c });
  if ('code' in requests) throw traceError(path, requests);
  return requests;
}

function reportOf(result: NetworkResult, wallSeconds: number): object {
  const { finished, avgDelay, endTime, counters, flitHops, lostPackets, droppedFlits, ...rest } = result;
  const { memPower, crossbarPower, arbiterPower, linkPower, totalPower } = rest;
  return {
    finished,
    ...(lostPackets !== undefined && { lostPackets, droppedFlits }),
    avgDelay,
    endTime,
    memPower,
    crossbarPower,
    arbiterPower,
    linkPower,
    totalPower,
    counters,
    flitHops,
    wallSeconds,
  };
}

const delayLine = ({ time, source, target, delay }: PacketDelay): string =>
  [time, ...source, ...target, delay].map((value) => significantDigits(value, 10)).join(' ');

/** What a simulation that ended before its packets says (chiplet specification 13, E-LIMIT); empty for one that did not. */
function limitText({ finished, lostPackets = 0 }: NetworkResult, packets: number, end: number): string {
  const left = packets - finished - lostPackets;
  return left > 0
    ? `E-LIMIT cycle ${end} was reached with ${left} of ${packets} packets on their way: results are incomplete; give a larger -T\n`
    : '';
}

function deadlockText({ run }: NetworkRun): string {
  const { waiting = [], cycle = [] } = run.outcome.deadlock ?? {};
  const lines = waiting
    .slice(0, 20)
    .map(
      ({ actor, since, waitsFor, on }) =>
        `  ${actor} waits since cycle ${Math.ceil(since / 2)} for ${waitsFor}: ${on.join(', ')}\n`,
    );
  const circle = cycle.length > 0 ? `  in a circle: ${cycleText(cycle)}\n` : '';
  return `E-DEADLOCK packets are left that nobody can move:\n${lines.join('')}${circle}`;
}

/** The configuration of a command line. Errors: E-OPT. */
export function configOf(options: PopnetOptions, usage: string): NetworkConfig {
  const missing = (['F', 'L'] as const).find((letter) => options.strict && options[letter] === undefined);
  if (missing !== undefined)
    throw new UsageError(`E-OPT found no -${missing}`, `--strict wants it; usage: ${usage}`);
  const given: Record<string, unknown> & { graphText?: string; reconfigurationText?: string } = {
    strict: options.reopen !== true,
    loss: options.l === true,
    correctWires: options.correctWires === true,
  };
  for (const [letter] of numbers)
    if (options[letter] !== undefined)
      given[letter === 'r' ? 'seed' : letter] = numberOf(`-${letter}`, options[letter]);
  for (const key of ['ties', 'random', 'firstStart'] as const)
    if (options[key] !== undefined) given[key] = options[key];
  if (options.G !== undefined) given.graphText = popnetFile(options.G, '-G');
  if (options.C !== undefined) given.reconfigurationText = popnetFile(options.C, '-C');
  const parsed = networkConfig.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const key = String(issue?.path[0]);
    throw new UsageError(
      `E-OPT ${optionOf(key)}: found ${String(given[key])}, expected ${issue ? expectedText(issue) : 'another value'}`,
      `usage: ${usage}`,
    );
  }
  const [misfit] = networkMisfits(parsed.data);
  const files: Readonly<Record<string, string | undefined>> = {
    graphText: options.G,
    reconfigurationText: options.C,
  };
  const file =
    misfit &&
    (files[misfit.key] ?? (misfit.found.includes('in the graph') ? `with -G ${options.G}` : undefined));
  if (misfit)
    throw new UsageError(
      `E-OPT ${optionOf(misfit.key)}${file === undefined ? '' : ` ${file}`}: found ${misfit.found}, expected ${misfit.expected}`,
      `usage: ${usage}`,
    );
  return parsed.data;
}

/** What a value must be, of an issue that tells that it is not. */
function expectedText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      return `a number of at least ${issue.minimum}`;
    case 'too_big':
      // What a double holds exactly tells a reader nothing as digits.
      return issue.maximum === Number.MAX_SAFE_INTEGER
        ? 'a number below 2^53'
        : `a number of at most ${issue.maximum}`;
    case 'invalid_value':
      return `one of ${issue.values.join(', ')}`;
    case 'invalid_type':
      return issue.expected === 'int' ? 'a whole number' : `a ${issue.expected}`;
    default:
      return issue.message;
  }
}

const optionOf = (key: string): string =>
  key === 'seed'
    ? '-r'
    : key === 'graphText'
      ? '-G'
      : key === 'reconfigurationText'
        ? '-C'
        : key.length === 1
          ? `-${key}`
          : `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function numberOf(option: string, text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number))
    throw new UsageError(`E-OPT ${option}: found "${text}"`, 'expected a number, as 12 or 5.1e7');
  return number;
}
