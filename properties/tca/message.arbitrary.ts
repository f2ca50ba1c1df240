import fc from 'fast-check';
import type { TcaMessages } from './context.ts';

/** What is to be drawn of a message of a type. */
type Fields<T extends keyof TcaMessages> = {
  [K in keyof Omit<TcaMessages[T], 'type'>]: fc.Arbitrary<TcaMessages[T][K]>;
};

/** A message of TCA nodes with fields as they are drawn: all of those that it has, and no others. */
export const message = <T extends keyof TcaMessages>(type: T, fields: Fields<T>) =>
  fc.record({ type: fc.constant(type), ...fields });
