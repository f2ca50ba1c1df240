import type { Descriptor } from '../../actors/sunway/descriptor.ts';
import type { SunwayMessages } from '../../actors/sunway/protocol.ts';
import {
  type Found,
  type Observation,
  type Observer,
  type Pending,
  together,
} from '../../kernel/explore/observer.ts';
import type { SunwayConfig, SunwayPrograms } from '../../machines/sunway/config.ts';

/** What properties of Sunway nodes know of a run before it begins. */
export interface SunwayPropertyContext {
  readonly config: SunwayConfig;
  readonly programs: SunwayPrograms;
}

/** What judges the runs of one node. What it remembers is plain data: tables are objects, whose keys have no order, so that what happens in one cycle may come in any order. */
interface SunwayObserver<Event, Memory extends object>
  extends Pick<Observer<Memory>, 'begin' | 'advance' | 'endOfTick' | 'atRest'> {
  /** What must still come, in an order that does not depend on that of what happened: wrong when it is missing at rest, or in a run without end. */
  pending?(memory: Memory): readonly Pending[];
  /** Whether it is something to judge (see `Observer.judges`). */
  judges?(event: Event): boolean;
  /** Looks at a message as it was delivered, or at a probe: both names are then those of the actor that shows it. */
  see(memory: Memory, event: Event, to: string, from: string): Found | undefined;
}

/** A property of Sunway nodes: a sentence, and what judges it on the node that is given. */
export interface SunwayProperty {
  readonly sentence: string;
  of(given: SunwayPropertyContext): Observer;
}

/** Declares a property of Sunway nodes by its sentence and the types of the messages and probes that it looks at. */
export const sunwayProperty = <T extends keyof SunwayMessages, Memory extends object>(
  sentence: string,
  watches: readonly T[],
  observing: (given: SunwayPropertyContext) => SunwayObserver<SunwayMessages[T], Memory>,
): SunwayProperty => ({
  sentence,
  of(given) {
    const { see, judges, ...others } = observing(given);
    const { pending } = others;
    return {
      ...(pending && {
        atRest: (memory: Memory) => together(pending(memory).map(({ actors, why }) => ({ actors, why }))),
      }),
      ...others,
      sentence,
      watches,
      // The type of an event says which of the messages it is.
      ...(judges && {
        judges: (observation: Observation) =>
          judges(
            (observation.kind === 'message' ? observation.event : observation.probe) as SunwayMessages[T],
          ),
      }),
      see: (memory: Memory, observation: Observation) =>
        observation.kind === 'message'
          ? see(memory, observation.event as SunwayMessages[T], observation.to, observation.from)
          : see(
              memory,
              observation.probe as unknown as SunwayMessages[T],
              observation.actor,
              observation.actor,
            ),
    };
  },
});

/** The names under which the parts of a node appear in reports. */
export const isLdm = (name: string): boolean => name.includes('.Ldm[');
export const isEngine = (name: string): boolean => name.includes('.Tbox[');
export const isRouter = (name: string): boolean => name.includes('.Router[');
export const isController = (name: string): boolean => name.endsWith('.MemCtrl');

/** The core group and the CPE by the name of any part that belongs to them; -1 where it belongs to none. */
export const groupIn = (name: string): number => Number(/^Cg\[(\d+)\]/.exec(name)?.[1] ?? -1);
export const tidIn = (name: string): number => Number(/\.(?:Cpe|Ldm)\[(\d+)\]/.exec(name)?.[1] ?? -1);

/** The CPEs that a transfer writes to, or, for a put to memory, none (Sunway specification 4.2). */
export function targetsOf(descriptor: Descriptor, cpes: number): readonly number[] {
  const { kind, tid, remoteTid, shape, mask, other } = descriptor;
  if (kind === 'dmaGet' || kind === 'rmaGet') return [tid];
  if (kind === 'rmaPut') return [remoteTid];
  if (kind !== 'dmaBcast' && kind !== 'rmaBcast') return [];
  return Array.from({ length: cpes }, (_, one) => one).filter((one) => {
    const line = shape === 'row' ? Math.floor(one / 8) : one % 8;
    return Math.floor(mask / 2 ** line) % 2 === 1 && !(other && one === tid);
  });
}

/** One count in a word: of which CPE, where, in which role. */
export interface Increment {
  readonly tid: number;
  readonly offset: number;
  readonly role: 'local' | 'remote';
}

/** The increments that a transfer makes, each once (Sunway specification 3.3). A word of 0 is none. */
export function incrementsOf(descriptor: Descriptor, cpes: number): readonly Increment[] {
  const { kind, tid, remoteTid, localReply, remoteReply } = descriptor;
  const local: Increment = { tid, offset: localReply, role: 'local' };
  const remote = (one: number, offset: number): Increment => ({ tid: one, offset, role: 'remote' });
  const all = (): readonly Increment[] => {
    switch (kind) {
      case 'dmaGet':
      case 'dmaPut':
        return [local];
      case 'dmaBcast':
        return targetsOf(descriptor, cpes).map((one) => remote(one, localReply));
      case 'rmaGet':
      case 'rmaPut':
        return [local, remote(remoteTid, remoteReply)];
      case 'rmaBcast':
        return [local, ...targetsOf(descriptor, cpes).map((one) => remote(one, remoteReply))];
      default:
        return [];
    }
  };
  return all().filter(({ offset }) => offset !== 0);
}

/** In words for a report: `dmaGet of CPE 3`. */
export const inWords = ({ kind, tid }: Pick<Descriptor, 'kind' | 'tid'>): string => `${kind} of CPE ${tid}`;
