import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type NetworkConfig, routings } from '../../machines/chiplet/config.ts';
import { readGraph } from '../../machines/chiplet/dot-graph.ts';
import { BenchFileError, type BenchProcess } from '../../scenarios/chiplet/interchiplet-bench-file.ts';
import { didYouMean } from '../../scenarios/nearest.ts';
import { readInput } from '../read-input.ts';
import { UsageError } from '../usage-error.ts';
import { configOf, numbers, type PopnetOptions } from './popnet.ts';

const usage =
  '-A 9 -c 2 -V 3 -B 12 -O 12 -F 4 -L 1000 -T 20000 -r 1 -R 0 -I ../bench.txt -D ../delayInfo.txt -P';
const letters: readonly string[] = numbers.map(([letter]) => letter);
/** Files of rounds, which the coordinator itself hands over. */
const handedOver: readonly string[] = ['I', 'D', 'm'];
/** Files of the network: a graph, and its reconfigurations. */
const files: readonly string[] = ['G', 'C'];
/** Cycles after which every simulation has ended: an edition has its users write 1e21. */
const endMax = 1e12;

/**
 * The network that a phase 2 process named popnet would be, by its arguments (chiplet specification 5.7, 9.8): a mesh or torus of places, or, with `-c 1`, a graph
 * (`-G`, `-R 4` or nothing) whose nodes are numbered row by row in a grid of `width`.
 *
 * Errors: `BenchFileError` E-OPT.
 */
export function networkOfArguments(
  entry: BenchProcess,
  cwd: string,
  width: number | undefined,
  notices: string[],
): NetworkConfig {
  const { args, at } = entry;
  const given: Record<string, string> = {};
  const refuse = (what: string, help: string): never => {
    throw new BenchFileError('E-OPT', at, what, help);
  };
  const notice = (what: string): void => void notices.push(`${at.file}:${at.line}:${at.column} ${what}`);
  for (let index = 0; index < args.length; index++) {
    const word = args[index]!;
    if (word === '-P') continue;
    const letter = /^-([A-Za-z])$/.exec(word)?.[1] ?? '';
    const known = [...letters, ...files, ...handedOver];
    if (!known.includes(letter))
      return refuse(
        `unknown option "${word}" of popnet`,
        didYouMean(
          word,
          [...known, 'P'].map((one) => `-${one}`),
          'options',
        ),
      );
    const value = args[++index];
    if (value === undefined) return refuse(`${word} has no value`, `for example ${usage}`);
    if (!handedOver.includes(letter)) given[letter] = value;
  }
  if (Number(given['T']) > endMax) given['T'] = String(endMax);
  const isGraph = given['R'] === undefined ? given['c'] === '1' : isGraphRouting(Number(given['R']));
  for (const letter of files) {
    const name = given[letter];
    if (name === undefined) continue;
    if (isGraph) given[letter] = fileOfNetwork(entry, name, cwd);
    else {
      delete given[letter];
      notice(`-${letter} ${name} has no effect without -c 1 and -R 4`);
    }
  }
  if (isGraph) {
    given['R'] ??= String(routings.graph);
    const graph = given['G'] === undefined ? undefined : readGraph(readInput(given['G']));
    if (graph && 'nodes' in graph) {
      if (given['A'] !== undefined && Number(given['A']) !== graph.nodes)
        notice(`-A ${given['A']} has no effect: the graph has ${graph.nodes} nodes`);
      given['A'] = String(graph.nodes);
    }
  }
  let config: NetworkConfig;
  try {
    config = configOf(given as unknown as PopnetOptions, usage);
  } catch (error) {
    if (error instanceof UsageError)
      return refuse(error.message.replace(/^E-OPT /, ''), `for example ${usage}`);
    throw error;
  }
  if (config.c > 2) refuse(`-c ${config.c}`, 'transactions have places, -c 2, or nodes, -c 1');
  if (config.c === 1 && width === undefined)
    refuse('-c 1 without the width of the grid', 'say how many nodes a row has: -w 6 behind the file');
  if (config.c === 2 && width !== undefined)
    refuse(`-w ${width} with -c 2`, 'nodes are for networks with -c 1: leave out -w');
  return config;
}

const isGraphRouting = (routing: number): boolean =>
  routing === routings.graph || routing === routings.reconfigurable;

/** A file that a network names: from its working directory, from where it is run, beside the benchmark, or beside the network's own folder. */
function fileOfNetwork({ cmd, at }: BenchProcess, name: string, cwd: string): string {
  const own = dirname(resolve(cwd, cmd));
  const places = [resolve(cwd, 'proc_r1_p2_t0'), cwd, resolve(dirname(at.file)), own, dirname(own)];
  const found = places.map((place) => resolve(place, name)).find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new BenchFileError(
    'E-FILE',
    at,
    `found no file "${name}" of the network`,
    `it would be in one of ${[...new Set(places)].join(', ')}`,
  );
}
