import type { Injection } from '../../kernel/faults.ts';
import { concerns } from './happened-before.ts';
import type { Step } from './history.ts';
import type { Wording } from './wording.ts';

/** A fault that struck in a run, with its place among the deliveries. */
export interface StruckFault extends Injection {
  /** Deliveries before it; one that strikes while a message is handled comes before that delivery. */
  readonly index: number;
}

/** True for a fault that took a message away for good. */
export const takesAway = ({ kind }: Pick<Injection, 'kind'>): boolean => kind === 'drop' || kind === 'lost';

/** Faults that a page tells of. */
const toldMax = 3;

/**
 * The faults that may have led to a failure, in their order, at most three: those nearest to it.
 *
 * Details: a fault may have done so when it struck a message of the past of the failure or one that was posted there, or when it concerns an
 * actor of the finding. When none did, what is left are all of them: a fault is always worth a word.
 */
export function faultsToTell(
  faults: readonly StruckFault[],
  past: ReadonlySet<Step>,
  actors: readonly string[],
): readonly StruckFault[] {
  const seqs = new Set([...past].map(({ message }) => message.seq));
  const led = faults.filter(
    ({ to, message }) => seqs.has(message.seq) || seqs.has(message.cause) || concerns(actors, to),
  );
  return (led.length > 0 ? led : faults).slice(-toldMax);
}

/** The deliveries that a fault has to do with: the message that it changed, else the one during which that was posted. */
export function stepsOfFaults(steps: readonly Step[], faults: readonly StruckFault[]): readonly Step[] {
  const bySeq = new Map(steps.map((step) => [step.message.seq, step]));
  return faults.flatMap(({ message }) => bySeq.get(message.seq) ?? bySeq.get(message.cause) ?? []);
}

/** A fault in words: `drop of bus.grant tag=3 (Arbiter -> Dma[0]), never delivered`. */
export function faultWords({ kind, message, what }: StruckFault, wording: Wording): string {
  const receiver = wording.actor(wording.nameOf(message.to));
  switch (kind) {
    case 'split':
      return `split of the network, ${what}`;
    case 'heal':
      return `end of the split, ${what}`;
    case 'crash':
      if (message.seq < 0) return `crash of ${receiver}`;
      return `crash of ${receiver} in front of ${wording.message(message)}`;
    case 'restart':
      return `${receiver} ${what} after its crash`;
    default:
      return `${nouns[kind]} of ${wording.message(message)}, ${what}`;
  }
}

/** That a fault struck, or that one came to its end, as a clause: `a fault struck: crash of A`, `A comes back after its crash`. */
export const struckWords = (fault: StruckFault, wording: Wording): string =>
  fault.kind === 'restart' || fault.kind === 'heal'
    ? faultWords(fault, wording)
    : `a fault struck: ${faultWords(fault, wording)}`;

const nouns: Readonly<Record<Exclude<Injection['kind'], 'crash' | 'restart' | 'split' | 'heal'>, string>> = {
  drop: 'drop',
  duplicate: 'duplicate',
  delay: 'delay',
  reorder: 'reordering',
  corrupt: 'corruption',
  lost: 'loss',
};
