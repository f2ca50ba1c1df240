import fc from 'fast-check';
import { type Choices, canonical, RecordingChoices, TapeChoices } from '../../kernel/choices.ts';
import { Fixed } from '../../kernel/resource.ts';
import { Run } from '../../kernel/run.ts';
import type { CoreDetail } from '../../machines/chiplet/gpu-chiplet.ts';
import { type SystemGiven, systemResultOf } from '../../machines/chiplet/system.ts';
import { type SystemParts, soundSystem, wireSystem } from '../../machines/chiplet/system-assembly.ts';
import { systemConfig, systemPrograms } from '../../machines/chiplet/system-config.ts';
import { scheduleKinds, scheduleProducers } from '../../scenarios/schedule.ts';
import type { WrittenScenario } from '../../scenarios/written.ts';
import { kernelScenarios } from './kernel-scenarios.ts';
import { systemScenarios } from './system/scenarios.ts';

/** Far above what a generated system takes. */
const lastTick = 1_000_000;

const kinds = scheduleKinds.filter((kind) => kind !== 'fifo').map((kind) => scheduleProducers[kind]);

/** What warps, loads and blocks say to their core, and it to them. */
const isInside = (name: string): boolean => /\.Core\[\d+\]\.(Warp|Load|Block)\[/.test(name);

/** All that is seen of a run in the order of the run, each with its tick, and what it comes to. */
interface Seen {
  readonly messages: readonly string[];
  readonly probes: readonly string[];
  readonly result: readonly [string];
  readonly picks: readonly string[];
}

/** What a message says, without the kernels that it has with it. */
const said = (event: object): string =>
  JSON.stringify({ ...event, to: undefined }, (_key, value: unknown) =>
    value instanceof Fixed ? 'fixed' : value,
  );

function seenOf(
  { config, programs }: SystemGiven,
  detail: CoreDetail,
  parts: SystemParts,
  given: Choices,
): Seen {
  const wired = wireSystem(config, programs, parts, {}, detail);
  const choices = new RecordingChoices(given);
  const run = new Run(wired.wiring, { choices });
  const messages: string[] = [];
  const probes: string[] = [];
  run.messages$.subscribe(({ from, to, message: { due, event } }) => {
    if (!isInside(from) && !isInside(to)) messages.push(`${due} ${from} -> ${to} ${said(event)}`);
  });
  run.probes$.subscribe(({ tick, actor, probe }) =>
    probes.push(`${tick} ${actor} shows ${JSON.stringify(probe)}`),
  );
  const { verdict, violations } = run.until(lastTick);
  return {
    messages,
    probes,
    picks: choices.tape.map(String),
    result: [JSON.stringify([verdict, violations, systemResultOf(run, wired, config, programs, parts)])],
  };
}

/**
 * Where a system with an actor for each warp, load and block and one with an actor for each SIMT core first differ, or undefined: every probe, every message that reaches or leaves a core or passes
 * between others, tick by tick, and the result. `seed`: of the choices of the fast one, whose tape the other is given; 0 for the canonical order. `parts` are those of the system with warps, `fast` those of the other.
 */
export function coreTwinsDiffer(
  given: SystemGiven,
  {
    seed = 0,
    parts = soundSystem,
    fast = soundSystem,
  }: { readonly seed?: number; readonly parts?: SystemParts; readonly fast?: SystemParts } = {},
): string | undefined {
  const cores = seenOf(given, 'core', fast, seed === 0 ? canonical : kinds[seed % kinds.length]!(seed));
  const warps = seenOf(given, 'warp', parts, new TapeChoices(cores.picks.map(Number)));
  for (const what of ['messages', 'probes', 'picks', 'result'] as const) {
    const [ours, theirs] = [warps[what], cores[what]];
    for (let at = 0; at < Math.max(ours.length, theirs.length); at++)
      if (ours[at] !== theirs[at])
        return `${what}, entry ${at}\n  warps: ${ours[at] ?? 'nothing more'}\n  core:  ${theirs[at] ?? 'nothing more'}`;
  }
  return undefined;
}

/** The system of a generated scenario. */
export const systemOf = ({ name, config, programs }: WrittenScenario): SystemGiven => ({
  name,
  config: systemConfig.parse(config),
  programs: systemPrograms.parse(programs),
  mutants: [],
  scheduled: false,
});

/** A system whose schedulers issue up to so many instructions of a warp in a cycle. */
function issuing(count: number, { config, programs, ...rest }: WrittenScenario): WrittenScenario {
  const { chiplets, ...others } = config as { readonly chiplets: readonly { readonly kind: string }[] };
  const file = { file: 'issues.config', text: `-gpgpu_max_insn_issue_per_warp ${count}` };
  return {
    ...rest,
    config: {
      ...others,
      chiplets: chiplets.map((one) => (one.kind === 'gpu' ? { ...one, config: 'issues' } : one)),
    },
    programs: { ...(programs as object), configs: { issues: file } },
  };
}

/** Systems that exchange messages, and chiplets with kernels of all instructions. */
export const twinScenarios: fc.Arbitrary<WrittenScenario> = fc
  .tuple(fc.constantFrom(1, 1, 1, 2, 3), fc.oneof({ weight: 3, arbitrary: systemScenarios }, kernelScenarios))
  .map(([count, written]) => (count === 1 ? written : issuing(count, written)));
