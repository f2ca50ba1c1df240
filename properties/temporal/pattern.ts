import type { Sight } from '../../kernel/explore/observer.ts';
import type { LockstepEvent, Probe } from '../../kernel/message.ts';
import { eventWords } from '../explore/message-words.ts';

/** Which sights are meant. What is absent is not looked at. */
export interface Pattern<E extends LockstepEvent | Probe = LockstepEvent> {
  /** Messages that are delivered, or probes that actors show. */
  readonly kind: Sight['kind'];
  /** The types meant, at least one. */
  readonly types: readonly string[];
  /** Name of the sender; `*` stands for any text: `Cell.Spu[*]`. */
  readonly from?: string;
  /** Name of the receiver. */
  readonly to?: string;
  /** Name of the actor that shows a probe. */
  readonly actor?: string;
  /** What must hold of the event besides. */
  readonly where?: (event: E) => boolean;
}

/** Messages of a type, or of one of several: `message('ring.grant', { to: 'Cell.Spu[*].Dma' })`. */
export const message = <E extends LockstepEvent = LockstepEvent>(
  type: string | readonly string[],
  more: Omit<Pattern<E>, 'kind' | 'types' | 'actor'> = {},
): Pattern<E> => ({ kind: 'message', types: typeof type === 'string' ? [type] : type, ...more });

/** Probes of a type, or of one of several: `shown('START', { actor: 'Eib.*' })`. */
export const shown = <P extends Probe = Probe>(
  type: string | readonly string[],
  more: Omit<Pattern<P>, 'kind' | 'types' | 'from' | 'to'> = {},
): Pattern<P> => ({ kind: 'probe', types: typeof type === 'string' ? [type] : type, ...more });

/** The event of a sight that a pattern means; undefined when it is not meant. */
export function matched<E extends LockstepEvent | Probe>(pattern: Pattern<E>, sight: Sight): E | undefined {
  if (sight.kind !== pattern.kind) return undefined;
  const event = (sight.kind === 'message' ? sight.event : sight.probe) as E;
  if (!pattern.types.includes(event.type)) return undefined;
  const named =
    sight.kind === 'message'
      ? fits(pattern.from, sight.from) && fits(pattern.to, sight.to)
      : fits(pattern.actor, sight.actor);
  return named && (pattern.where?.(event) ?? true) ? event : undefined;
}

function fits(glob: string | undefined, name: string): boolean {
  if (glob === undefined || glob === name) return true;
  if (!glob.includes('*')) return false;
  const parts = glob.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}

/** The types that patterns look at, each once. */
export const typesOf = (...patterns: readonly Pattern<never>[]): readonly string[] => [
  ...new Set(patterns.flatMap(({ types }) => types)),
];

/** Names of the actors of a sight. */
export const actorsOf = (sight: Sight): readonly string[] =>
  sight.kind === 'probe' ? [sight.actor] : sight.from === 'world' ? [sight.to] : [sight.from, sight.to];

/** A sight in words: its type, its fields, and whom it concerns. */
export function wordsOf(sight: Sight): string {
  if (sight.kind === 'probe') return `${eventWords(sight.probe)} at ${sight.actor}`;
  return `${eventWords(sight.event)} from ${sight.from} to ${sight.to}`;
}
