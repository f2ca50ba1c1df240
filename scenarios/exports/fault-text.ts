import type { Injection } from '../../kernel/faults.ts';

/** A fault that struck in one line: `fault drop of bus.grant: never delivered`. */
export const faultText = ({ kind, message, what }: Injection): string =>
  `fault ${kind} of ${message.event.type}: ${what}`;

/** True for a fault that befalls the receiver of a message when it comes; the others befall a message when it is posted. */
export const isAtReceiver = ({ kind }: Injection): boolean =>
  kind === 'crash' || kind === 'lost' || kind === 'restart';
