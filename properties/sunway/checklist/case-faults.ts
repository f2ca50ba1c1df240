import type { CpeProgram, MpeProgram } from '../../../actors/sunway/program.ts';
import { returnCode } from '../../../actors/sunway/return-code.ts';
import { onArray, trial, watchedTrial } from '../trial.ts';
import { type CaseOutcome, hostRun, type SlavePart, slaveRun, underOtherName } from './case-runs.ts';
import { hostCases, slaveCases } from './cases/cases.ts';
import { featureRows } from './feature-rows.ts';
import {
  caller,
  everyTid,
  type Given,
  type HostCase,
  type HostPlay,
  type SlaveCase,
  type SlavePlay,
} from './function-case.ts';

/*
 * What is wrong with functions of the node by their cases (Sunway specification 6, 9, 11): what they give, how long they take, how they fail.
 */

/** Other names of a function of the slave side, which are to do the same. */
export const aliasesOf = (name: string): readonly string[] =>
  featureRows.slice(0, 135).find((row) => row.side === 'slave' && row.name === name)?.aliases ?? [];

/** A play in which a function is called by another of its names. */
const renamed =
  (play: SlavePlay, name: string, alias: string): SlavePlay =>
  (c, given) =>
    play(underOtherName(c, name, alias), given);

/** Parts of one run of an array, by name: plays that several functions share are carried out once. */
export function partsOfCases(): ReadonlyMap<string, SlavePart> {
  const parts = new Map<string, SlavePart>();
  const firstOf = new Map<SlavePlay, string>();
  for (const { name, by, play, fails } of slaveCases) {
    const first = firstOf.get(play) ?? name;
    firstOf.set(play, first);
    if (first === name) parts.set(name, { by, play });
    for (const alias of aliasesOf(name)) parts.set(alias, { by, play: renamed(play, name, alias) });
    if ('code' in fails) {
      const bad: SlavePlay = function* (c, given) {
        return [yield fails.call(c, given)];
      };
      parts.set(`${name} fails`, { by: 'one', play: bad, ...(fails.at !== undefined && { at: fails.at }) });
    }
    if ('gives' in fails) parts.set(`${name} fails`, { by: 'one', play: fails.play });
  }
  return parts;
}

/** The cycles of a function in the trace of its case: of the CPE that cases count from or, if that does not call it, the least. */
export function cyclesIn({ calls }: CaseOutcome, name: string): number {
  const own = calls.filter((call) => call.name === name);
  return own.find(({ core }) => core === caller)?.cycles ?? Math.min(...own.map(({ cycles }) => cycles));
}

/** The CPEs that play a case. */
export const playersOf = ({ by }: Pick<SlaveCase, 'by'>): readonly number[] =>
  by === 'one' ? [caller] : everyTid;

const tiny = { cpesPerCg: 8, memoryMiB: 1, fidelity: 'functional' } as const;

/** A host program that tells what a play gives. */
const telling = (play: HostPlay): MpeProgram =>
  function* (h) {
    yield h.tell('gave', (yield* play(h, h.crossAlloc(64))).join(' '));
  };

/** What a play of a host gives that is alone in its run. */
export const gaveOf = (play: HostPlay) =>
  trial(telling(play), { ...tiny, cacheKiB: 32, onError: 'return' }).told['gave'];

/** What a play of the slave side is given when it is alone in its run. */
const givenTo = (c: Parameters<SlavePlay>[0], memory: number): Given => ({
  a: c.ldmStatic('a', 256, 64),
  b: c.ldmStatic('b', 256, 64),
  d: c.ldmStatic('d', 256, 64),
  own: c.rply(),
  come: c.rply(),
  memory,
});

const alone = (play: SlavePlay): CpeProgram =>
  function* (c, memory) {
    yield* play(c, givenTo(c, memory));
  };

/** Everything that a run found: violations, and why it stands still. */
function findings(host: MpeProgram, config: object): string {
  const { run, result } = watchedTrial(host, config);
  return [...run.outcome.violations.map(({ why }) => why), ...result.warnings, ...result.deadlock].join('\n');
}

/** What is found of a play of the slave side that is alone in its run. */
export const slaveFindings = (play: SlavePlay): string =>
  findings(onArray(alone(play)), { cpesPerCg: 10, fidelity: 'functional' });

/** The same of a play of a host. */
export const hostFindings = (play: HostPlay): string => findings(telling(play), tiny);

type Trapped = { readonly verdict: string; readonly violations: string };

const trappedIn = ({ run: { outcome } }: ReturnType<typeof trial>): Trapped => ({
  verdict: outcome.verdict,
  violations: outcome.violations.map(({ why }) => why).join('\n'),
});

type Refusal = Extract<SlaveCase['fails'], { readonly code: string }>;

/** A bad call of one CPE of the first row, in the column of the CPE that makes it elsewhere, which stops the run. */
export function trapped({ call, at = caller }: Refusal): Trapped {
  const program: CpeProgram = function* (c, memory) {
    if (c.tid === at % 8) yield call(c, givenTo(c, memory));
  };
  return trappedIn(trial(onArray(program), { ...tiny, sldm: { mode: 4, sizeKiB: 1 } }));
}

/** A bad call of a host, which stops the run. */
export const hostTrapped = (play: HostPlay): Trapped => trappedIn(trial(telling(play), tiny));

const text = (value: unknown): string => JSON.stringify(value);

function differs(what: string, found: unknown, expected: unknown): string | undefined {
  return text(found) === text(expected)
    ? undefined
    : `${what}: ${text(found)}, the specification has ${text(expected)}`;
}

function takesOther(
  { name, traced = name, takes }: Pick<SlaveCase, 'name' | 'traced' | 'takes'>,
  outcome: CaseOutcome,
): string | undefined {
  const found = cyclesIn(outcome, traced);
  return found >= takes.cycles && found <= takes.cycles + (takes.queueing ?? 0)
    ? undefined
    : `${name} takes ${found} cycles, by ${takes.formula} ${takes.cycles}`;
}

/** Parts of the slave side by the name of the function that they are of. */
let known: readonly (readonly [name: string, part: SlavePart, of: SlaveCase])[] | undefined;

function knownParts() {
  known ??= [...partsOfCases()].map(([name, part]) => {
    const of = slaveCases.find(
      (one) => one.name === name || `${one.name} fails` === name || aliasesOf(one.name).includes(name),
    )!;
    return [name, part, of] as const;
  });
  return known;
}

/** What is wrong in what so many functions of CPEs come to, from one on, carried out one after the other. */
export function slaveFault(first: number, count: number): string | undefined {
  const all = knownParts();
  const chosen = Array.from({ length: count }, (_, k) => all[(first + k) % all.length]!);
  const { outcomes } = slaveRun(
    chosen.map(([, part]) => part),
    { sldm: { mode: 4, sizeKiB: 1 } },
  );
  for (const [k, [name, , of]] of chosen.entries()) {
    const outcome = outcomes[k]!;
    const { gave, calls } = outcome;
    const { fails } = of;
    let why: string | undefined;
    if (!name.endsWith(' fails'))
      why =
        differs(
          name,
          playersOf(of).map((tid) => [...(gave.get(tid) ?? [])]),
          playersOf(of).map((tid) => [...of.gives(tid)]),
        ) ?? takesOther(of, outcome);
    else if ('code' in fails) {
      const code = returnCode[fails.code];
      const told = calls.filter((call) => call.name === (of.traced ?? of.name)).map((call) => call.code);
      why = differs(`${of.name} with ${fails.with}`, [[...gave.values()], told], [[[code]], [code]]);
    } else if ('gives' in fails) why = differs(name, [...gave.values()], [fails.gives]);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** What is wrong in how a function of CPEs stops the run, or what is reported of it. */
export function slaveFailureFault(which: number): string | undefined {
  const { name, traced = name, fails } = slaveCases[which % slaveCases.length]!;
  if ('report' in fails) {
    const found = slaveFindings(fails.play);
    return fails.report.test(found)
      ? undefined
      : `${name}, ${fails.when}: found "${found}", the specification has ${fails.report}`;
  }
  if (!('code' in fails)) return undefined;
  const { verdict, violations } = trapped(fails);
  const expected = `${fails.code} from ${traced}(`;
  return verdict === 'error' && violations.includes(expected)
    ? undefined
    : `${name} with ${fails.with}: ${verdict}, "${violations}", not "${expected}"`;
}

/** What is wrong in how a function of hosts fails. */
export function hostFailureFault(which: number): string | undefined {
  const { name, fails } = hostCases[which % hostCases.length]!;
  if ('report' in fails) {
    const found = hostFindings(fails.play);
    return fails.report.test(found)
      ? undefined
      : `${name}, ${fails.when}: found "${found}", the specification has ${fails.report}`;
  }
  if ('gives' in fails) return differs(`${name}, ${fails.when}`, gaveOf(fails.play), fails.gives.join(' '));
  if (!('code' in fails)) return undefined;
  const { verdict, violations } = hostTrapped(fails.play);
  return (
    differs(`${name} with ${fails.with}`, gaveOf(fails.play), `${returnCode[fails.code]}`) ??
    (verdict === 'error' && violations.includes(`${fails.code} from ${name}(`)
      ? undefined
      : `${name} with ${fails.with}: ${verdict}, "${violations}"`)
  );
}

/** What is wrong in what all functions of hosts come to, carried out one after the other. */
export function hostFault(): string | undefined {
  const { done, outcomes } = hostRun(hostCases);
  for (const [k, one] of hostCases.entries()) {
    const why =
      differs(
        one.name,
        [0, 1].map((cgn) => outcomes[k]!.gave.get(cgn)),
        [0, 1].map((cgn) => one.gives(cgn).map(String)),
      ) ??
      takesOther(one as Pick<HostCase, 'name' | 'takes'>, outcomes[k]!) ??
      (one.leaves
        ? differs(one.leaves.file, done.result.files[one.leaves.file], one.leaves.digits)
        : undefined);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** How many parts of the slave side there are. */
export const slavePartCount = (): number => knownParts().length;
