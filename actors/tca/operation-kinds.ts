import { type Fields, field, type Kind, misfitWords, recordOf } from '../../kernel/protocol/field.ts';
import { noOperation } from '../common/program.ts';
import { asked } from './fields.ts';
import type { NodeOperation } from './node-program.ts';

/*
 * What programs of nodes may ask for, as it is checked when they ask: a program in JavaScript is held by no compiler, and an operation that is none
 * must not pass for one that does nothing.
 */

/** A record with these fields, and any others beside them. */
function recordWith(fields: Fields): Kind<Record<string, unknown>> {
  const kind = recordOf(fields);
  const names = Object.keys(fields);
  return {
    ...kind,
    misfit: (found) =>
      typeof found === 'object' && found !== null
        ? kind.misfit(
            Object.fromEntries(names.map((name) => [name, (found as Record<string, unknown>)[name]])),
          )
        : kind.misfit(found),
  };
}

const natural = field.int({ min: 0 });
const channel = field.int({ min: 0, max: 3 });

/** Nanoseconds of work, also parts of them. */
const nanoseconds: Kind<number> = {
  ...natural,
  words: 'nanoseconds, from 0 to 10^15',
  misfit: (found) =>
    typeof found === 'number' && found >= 0 && found <= 1e15
      ? undefined
      : { at: '', found, expected: 'nanoseconds, from 0 to 10^15' },
};

const flag = recordWith({ source: natural, slot: natural, tag: field.optional(field.int()) });

const descriptor = recordWith({
  src: natural,
  dst: natural,
  size: field.int(),
  count: field.int(),
  srcStride: asked,
  dstStride: asked,
  data: field.optional(field.bytes()),
  pipeline: field.optional(field.flag()),
  useInternal: field.optional(field.flag()),
});

/** A call of GASNet, whose values the runtime judges. */
const gasnetCall: Kind<unknown> = {
  ...field.data({ call: 'poll' }),
  words: 'a call of GASNet',
  misfit: (found) =>
    typeof (found as { call?: unknown } | null)?.call === 'string'
      ? undefined
      : { at: '', found, expected: 'a call of GASNet' },
};

const fields: Readonly<Record<NodeOperation['op'], Kind<Record<string, unknown>>>> = {
  load: recordWith({ channel }),
  start: recordWith({ channel, chain: field.list(descriptor) }),
  wait: recordWith({ flags: field.list(flag) }),
  stopped: recordWith({ channels: field.list(channel) }),
  pio: recordWith({ address: natural, data: field.bytes() }),
  register: recordWith({ register: field.oneOf('busy', 'error'), channel }),
  reset: recordWith({ channel }),
  compute: recordWith({ ns: nanoseconds }),
  read: recordWith({ address: natural, bytes: natural }),
  write: recordWith({ address: natural, data: field.bytes() }),
  copy: recordWith({ src: natural, dst: natural, bytes: natural }),
  launch: recordWith({ ns: nanoseconds }),
  join: recordWith({}),
  counter: recordWith({ channel }),
  gasnet: recordWith({ call: gasnetCall }),
  now: recordWith({}),
};

/** What a program asks for, when it is an operation. Errors: an `Error` that says what it is instead. */
export function checkedOperation(asked: unknown): NodeOperation {
  const op = (asked as { op?: unknown } | null)?.op;
  if (typeof op !== 'string' || !Object.hasOwn(fields, op))
    throw noOperation(asked, `an operation: one with op ${Object.keys(fields).join(', ')}`);
  const misfit = fields[op as NodeOperation['op']].misfit(asked);
  if (misfit)
    throw new Error(`found a program that yields an operation "${op}" which is none: ${misfitWords(misfit)}`);
  return asked as NodeOperation;
}
