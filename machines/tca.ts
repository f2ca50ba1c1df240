import type { CpuContext } from '../actors/tca/cpu-context.ts';
import { gasnetProgram } from '../actors/tca/gasnet/gasnet.ts';
import type { LinkContext } from '../actors/tca/link.ts';
import type { NodeProgram } from '../actors/tca/node-program.ts';
import { nanoseconds, subTicks } from '../actors/tca/parameters.ts';
import { invariant } from '../kernel/errors.ts';
import type { LockstepEvent, Post } from '../kernel/message.ts';
import type { Run } from '../kernel/run.ts';
import type { Assembly, Given, Machine } from './machine.ts';
import { mutantSentences, withMutants } from './mutant.ts';
import { soundParts, type TcaParts, wireNodes } from './tca/assembly.ts';
import { type TcaConfig, type TcaPrograms, tcaConfig, tcaPrograms } from './tca/config.ts';
import { programOfDriver } from './tca/driver-operations.ts';
import { gasnetBytesMin } from './tca/gasnet.ts';
import { programOfGasnet } from './tca/gasnet-operations.ts';
import { himenoProgram } from './tca/himeno-program.ts';
import { tcaMutants } from './tca/mutants.ts';
import { misplacedIn, programOfList } from './tca/operations.ts';
import { tcaScene } from './tca/scene.ts';
import { type TcaRecord, timelineOf } from './tca/timeline.ts';
import { timelinePicture, timelineSketch } from './tca/timeline-picture.ts';

/** What a run of TCA nodes came to. */
export interface TcaRunResult {
  /** Nanoseconds until the last event. */
  readonly ns: number;
  readonly nodes: readonly {
    /** Chains that each DMA channel has finished. */
    readonly chains: readonly number[];
    /** With which code the job was ended, when a program of GASNet has ended it. */
    readonly exitCode?: number;
    /** Packets and wire bytes from the chip to the host, and back. */
    readonly up: LinkUse;
    readonly down: LinkUse;
  }[];
}

/** What went over one direction of a link. */
export interface LinkUse {
  readonly packets: number;
  readonly bytes: number;
}

type TcaGiven = Given<TcaConfig, TcaPrograms>;

/** GPU nodes joined by PEACH2 chips: four DMA channels a chip, RDMA writes over a ring of PCIe links. */
export const tcaMachine: Machine<TcaConfig, TcaPrograms, TcaRunResult> = {
  name: 'tca',
  // 250 MHz (TCA specification 3).
  tickFemtoseconds: () => 4_000_000,
  config: tcaConfig,
  programs: tcaPrograms,
  mutants: mutantSentences(tcaMutants),
  check,
  assemble,
  figures: ({ ns, nodes }) => [
    { label: 'time', value: `${(ns / 1000).toFixed(3)} us` },
    ...nodes.map(({ chains, up, down }, node) => ({
      label: `node ${node}`,
      value: `chains ${chains.join(' ')}; up ${up.bytes} bytes in ${up.packets} packets, down ${down.bytes} in ${down.packets}`,
    })),
  ],
  logHeader: ({ name, config: { topology, nodes } }) => ({
    format: 'tca-log/1',
    name,
    topology,
    nodes,
    subTicks,
  }),
  picture: ({ name, config }, records) =>
    timelinePicture(name, timelineOf(config, records as readonly TcaRecord[])),
  sketch: ({ config }, records, width) =>
    timelineSketch(timelineOf(config, records as readonly TcaRecord[]), width),
};

function assemble(given: TcaGiven): Assembly<TcaRunResult> {
  const { config, programs, mutants } = given;
  const parts: TcaParts = withMutants(soundParts, tcaMutants, mutants);
  const { wiring, nodes } = wireNodes(config, programsOf(config, programs), parts);
  const contextOf = <C>(run: Run, address: number): C => run.part(address as never).context as unknown as C;
  const use = (run: Run, address: number): LinkUse => {
    const { packets, bytes } = contextOf<LinkContext>(run, address);
    return { packets, bytes };
  };
  return {
    wiring,
    scene: (run) => tcaScene(config, run),
    result: (run) => ({
      ns: nanoseconds(Math.max(0, run.outcome.ticks - 1)),
      nodes: nodes.map(({ cpu, counts, up, down }) => ({
        chains: contextOf<{ finished: number[] }>(run, counts).finished,
        ...exitOf(contextOf<CpuContext>(run, cpu)),
        up: use(run, up),
        down: use(run, down),
      })),
    }),
    follow: (run, take) => {
      let n = 0;
      run.messages$.subscribe(({ message, to, from }) => {
        const { type, to: _to, delay: _delay, ...rest } = message.event as LockstepEvent & Partial<Post>;
        const { due: t } = message;
        // A record of this format ends with its tick, and with who is answered before it.
        take({
          n: n++,
          t,
          ev: type,
          from,
          to,
          ...plainBytes(rest),
          ...(answered.has(type) && { requester: message.from }),
          at: t,
        });
      });
    },
  };
}

const exitOf = ({ exitCode }: CpuContext): { readonly exitCode?: number } =>
  exitCode === null ? {} : { exitCode };

/** What is answered to who sent it. */
const answered: ReadonlySet<string> = new Set([
  'mmio.read',
  'tag.take',
  'tag.release',
  'memory.load',
  'memory.store',
  'copy.job',
  'kernel.launch',
  'pio.store',
]);

/** Bytes as their number: the log tells what moves when. */
const plainBytes = (rest: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, value instanceof Uint8Array ? value.length : value]),
  );

/** The programs of all nodes, in order. */
function programsOf(config: TcaConfig, programs: TcaPrograms): readonly NodeProgram[] {
  if ('job' in programs) return new Array<NodeProgram>(config.nodes).fill(himenoProgram());
  return Array.from({ length: config.nodes }, (_, node): NodeProgram => {
    const given = Array.isArray(programs) ? programs[node] : programs;
    if (given === undefined) return function* () {};
    if (Array.isArray(given)) return programOfList(given, config);
    if ('driver' in given) return programOfDriver(given, config);
    if ('gasnet' in given) return gasnetProgram(programOfGasnet(given));
    invariant(given.program, `the program ${given.module} was not loaded`);
    return given.program;
  });
}

type CheckFinding = ReturnType<NonNullable<Machine['check']>>[number];

/** What concerns several keys: the number of nodes of a topology, programs and nodes, tags, where operations reach. */
function check(config: TcaConfig, programs: TcaPrograms): readonly CheckFinding[] {
  const { topology, nodes, parameters } = config;
  const findings: CheckFinding[] = [];
  const needed = config.gasnet && gasnetBytesMin(config, config.gasnet);
  if (needed !== undefined && config.cpuBytes < needed)
    findings.push({
      path: ['config', 'cpuBytes'],
      found: `${config.cpuBytes} bytes of CPU memory`,
      expected: `at least ${needed}: rings and send buffers of GASNet for ${nodes} nodes, and a page for the segment`,
    });
  const most = { pair: 2, ring: 8, dualRing: 16 }[topology];
  if (nodes > most || (topology === 'dualRing' && nodes % 2 === 1))
    findings.push({
      path: ['nodes'],
      found: `${nodes} nodes in a ${topology}`,
      expected: topology === 'dualRing' ? 'an even number of at most 16' : `at most ${most}`,
    });
  const tags = parameters.tagsPerChannel.reduce((sum, count) => sum + count, 0);
  if (tags > 64)
    findings.push({
      path: ['config', 'parameters', 'tagsPerChannel'],
      found: `${tags} tags`,
      expected: 'at most 64: the chip has no more',
    });
  if ('job' in programs && !config.gasnet)
    findings.push({
      path: ['programs', 'job'],
      found: 'a job of GASNet on nodes without it',
      expected: 'gasnet: {} in the configuration',
    });
  if (Array.isArray(programs) && programs.length > nodes)
    findings.push({
      path: ['programs', nodes],
      found: `program number ${nodes}`,
      expected: `at most ${nodes} programs, one a node`,
    });
  if (Array.isArray(programs))
    for (const [node, program] of programs.entries())
      if ('gasnet' in program && !config.gasnet)
        findings.push({
          path: ['programs', node],
          found: 'calls of GASNet on nodes without it',
          expected: 'gasnet: {} in the configuration',
        });
      else if (Array.isArray(program))
        for (const { path, ...finding } of misplacedIn(program, config))
          findings.push({ path: ['programs', node, ...path], ...finding });
  return findings;
}
