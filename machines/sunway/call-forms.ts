import { accessBytes } from '../../actors/sunway/access-type.ts';
import { hostCalls } from '../../actors/sunway/calls/host-calls.ts';
import { cpeCalls } from '../../actors/sunway/cpe-api.ts';
import type { WrittenArgument } from './operations.ts';

/** What an argument of a call is: `value` is a number, an address among them. */
export type ArgumentForm = 'value' | 'type' | 'bytes' | 'lanes' | 'text';

/** Who carries out a call. */
export type Side = 'slave' | 'host';

/** Calls with arguments that are no numbers. */
const special: Readonly<Record<string, readonly ArgumentForm[]>> = {
  ld: ['value', 'type'],
  st: ['value', 'type', 'value'],
  ldBlock: ['value', 'type', 'value'],
  stBlock: ['value', 'bytes'],
  ptab_cpy: ['lanes', 'value', 'value', 'value'],
  ptab_lookup: ['lanes', 'lanes'],
  ptab_write: ['lanes', 'lanes', 'lanes'],
  sio_fwrite: ['text', 'value', 'value'],
  task_fetch: ['text', 'value', 'value'],
  tell: ['text', 'value'],
};

/** Calls of the host that begin the slave program, which is not written among their arguments. */
const starts: Readonly<Record<string, readonly ArgumentForm[]>> = {
  athread_create: ['value'],
  athread_spawn: [],
  athread_spawn_noflush: [],
};

/** Arguments of a call, in the order of the runtime. */
export function formsOf(call: string, side: Side): readonly ArgumentForm[] {
  const own = (side === 'host' ? starts[call] : undefined) ?? special[call];
  if (own) return own;
  const calls: Readonly<Record<string, (...given: never[]) => unknown>> =
    side === 'slave' ? cpeCalls : hostCalls;
  return Array.from({ length: calls[call]?.length ?? 0 }, () => 'value');
}

/** True for calls that begin the slave program. */
export const isStart = (call: string): boolean => Object.hasOwn(starts, call);

/** What an argument of a form is written as, for who has written something else; undefined when it fits. */
export function misfit(form: ArgumentForm, written: WrittenArgument): string | undefined {
  switch (form) {
    case 'value':
      return Array.isArray(written) ? 'a number, a name or an address' : undefined;
    case 'type':
      return typeof written === 'string' && Object.hasOwn(accessBytes, written)
        ? undefined
        : `a type of access: ${Object.keys(accessBytes).join(', ')}`;
    case 'text':
      return typeof written === 'string' ? undefined : 'a text';
    case 'bytes':
      return isListTo(255, written) ? undefined : 'a list of bytes, 0 to 255 each';
    case 'lanes':
      return isListTo(2 ** 32 - 1, written) ? undefined : 'a list of lanes, words without sign';
  }
}

const isListTo = (last: number, written: WrittenArgument): boolean =>
  Array.isArray(written) && written.every((one) => Number.isInteger(one) && one >= 0 && one <= last);
