import { RandomChoices } from '../../../kernel/choices.ts';
import { detectedErrors, differences, type Policy, pairOf, policies, raceEvents } from './compared.ts';
import { oraclePairs } from './oracle.ts';
import type { FoundPair, LogLine, OracleProgram } from './oracle-program.ts';
import { anyProgram, rightProgram, spoiltProgram } from './oracle-programs.ts';
import { type Pick, PlainNode } from './plain-node.ts';

/** What a drawn program is: right, right with one thing left out, or anything. */
export const programKinds = ['right', 'spoilt', 'any'] as const;
export type ProgramKind = (typeof programKinds)[number];

/** A program drawn from a seed. */
export interface DrawnProgram {
  readonly kind: ProgramKind;
  readonly program: OracleProgram;
  /** Calls that only the lenient rules accept. */
  readonly habits: number;
}

/** The program of a seed, the kinds by turns, and the picks that go on from there. */
export function drawnProgram(seed: number): readonly [drawn: DrawnProgram, pick: Pick] {
  const choices = new RandomChoices(seed);
  const pick: Pick = (count) => choices.pick('the program', count);
  const kind = programKinds[seed % programKinds.length]!;
  if (kind === 'any') return [{ kind, program: anyProgram(pick), habits: 0 }, pick];
  const { program, habits } = rightProgram(pick);
  return [{ kind, program: kind === 'spoilt' ? spoiltProgram(program, pick) : program, habits }, pick];
}

/** What one program came to. */
export interface OracleVerdict {
  readonly kind: ProgramKind;
  /** Errors told, by both policies. */
  readonly told: number;
  /** The kinds of the errors. */
  readonly kinds: readonly string[];
  /** What is wrong: the detector and the oracle differ, or a program that is right is reported. */
  readonly wrong: readonly string[];
}

/** What the strict rules tell of habits. */
const ofHabits = new Set(['UnwaitedRemoteArrival', 'ReplyResetRace']);

/** Holds the findings of a run against the oracle's, by both policies. */
export function judgedLog(
  { kind, program, habits }: DrawnProgram,
  log: readonly LogLine[],
  toldBy: (policy: Policy) => readonly FoundPair[],
): OracleVerdict {
  const wrong: string[] = [];
  const kinds = new Set<string>();
  let told = 0;
  const oracle = oraclePairs(program, log);
  for (const policy of policies) {
    const pairs = toldBy(policy);
    told += pairs.length;
    for (const one of pairs) kinds.add(one.kind);
    wrong.push(...differences(program, log, pairs, policy, oracle[policy]));
    if (kind !== 'right') continue;
    const unexpected = oracle[policy].filter(
      (one) => policy === 'lenient' || habits === 0 || !ofHabits.has(one.kind),
    );
    wrong.push(
      ...unexpected.map((one) => `${policy}: a right program has ${one.kind} of ${one.first}, ${one.second}`),
    );
  }
  return { kind, told, kinds: [...kinds], wrong };
}

/** Runs the program of a seed on a plain node, and holds the detector against the oracle. */
export function oracleVerdict(seed: number): OracleVerdict {
  const [drawn, pick] = drawnProgram(seed);
  const log = new PlainNode(drawn.program, pick).run();
  const events = raceEvents(drawn.program, log);
  return judgedLog(drawn, log, (policy) => detectedErrors(events, policy).map(pairOf));
}
