import { transcriptOf } from '../../kernel/explore/transcript.ts';
import { valueText } from '../../kernel/value-text.ts';

/** An access to a memory, as the process that made it saw it. */
export interface Access {
  readonly process: string;
  /** An update reads and writes in one step, as compare-and-swap does when it succeeds. */
  readonly kind: 'read' | 'write' | 'update';
  readonly location: string;
  /** What was written, or what a read came back with. */
  readonly value: unknown;
  /** What an update read. */
  readonly found?: unknown;
  /** When it began and when its answer came, in any unit that grows; an access without an answer has none and may take effect or not. */
  readonly invoked: number;
  readonly responded?: number;
  /** The ticks in which it began and was answered, for reports. */
  readonly ticks?: readonly [began: number, answered?: number];
}

/** Accesses of all processes, in any order. */
export type History = readonly Access[];

/** What a location holds before the first write. */
export type Initial = (location: string) => unknown;

/** True when the access changes its location. */
export const writes = ({ kind }: Access): boolean => kind !== 'read';

/** True when it is known what the access found in its location: it reads, and it was answered. */
export const reads = ({ kind, responded }: Access): boolean => kind !== 'write' && responded !== undefined;

/** What an access read. */
export const foundIn = ({ kind, value, found }: Access): unknown => (kind === 'update' ? found : value);

/** Values as keys: equal in content, equal in text. */
export const valueKey = transcriptOf;

/** What a history says about where values come from; to leave something out of it must not change that. */
export const isSource = (write: Access, read: Access): boolean =>
  write !== read &&
  writes(write) &&
  write.location === read.location &&
  valueKey(write.value) === valueKey(foundIn(read));

/** An access in words: `p writes x = 3 in ticks 5 to 7`. */
export const accessWords = (access: Access): string => `${accessAlone(access)}${ticksWords(access.ticks)}`;

function accessAlone({ process, kind, location, value, found }: Access): string {
  switch (kind) {
    case 'write':
      return `${process} writes ${location} = ${valueText(value)}`;
    case 'read':
      return `${process} reads ${location} = ${valueText(value)}`;
    case 'update':
      return `${process} updates ${location} from ${valueText(found)} to ${valueText(value)}`;
  }
}

function ticksWords(ticks: Access['ticks']): string {
  if (ticks === undefined) return '';
  const [began, answered] = ticks;
  if (answered === undefined) return ` from tick ${began} on`;
  return began === answered ? ` in tick ${began}` : ` in ticks ${began} to ${answered}`;
}
