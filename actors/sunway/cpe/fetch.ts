import { valueOfBytes } from '../access-type.ts';
import type { Answer } from '../operation.ts';
import type { CallBegin, CallEnd } from '../probes.ts';
import { tablesAfter } from '../table/known-tables.ts';
import { type CpeOut, type CpeState, factsOf } from './cpe-state.ts';
import { callOf } from './running.ts';

/** Takes the next primitive: of the call at hand or, when that is over, of the next call of the program; none when the thread is over. */
export function fetch(c: CpeState, out: CpeOut): void {
  const { core } = c.spec.value.facts;
  for (;;) {
    if (c.script !== null) {
      const next = c.script.next(c.answer)!;
      c.answer = 0;
      if (next.op !== 'return') {
        c.step = next;
        return;
      }
      c.tables = tablesAfter(c.tables, c.call!);
      endCall(c, out, 0, next.value);
      c.answer = next.value;
    }
    const { program } = c.thread!;
    const asked = program.next(c.answer);
    c.answer = 0;
    if (asked === undefined || asked.op === 'statics') {
      c.step = asked ?? null;
      return;
    }
    c.call = asked;
    if (asked.op === 'tell') c.told[asked.name] = asked.value;
    c.script = callOf(asked, factsOf(c));
    if (out.observed)
      out.probe<CallBegin>({
        type: 'call.begin',
        core,
        name: asked.op,
        arguments: asked,
        step: program.steps,
      });
  }
}

function endCall(c: CpeState, out: CpeOut, code: number, given: Answer): void {
  if (out.observed)
    out.probe<CallEnd>({
      type: 'call.end',
      core: c.spec.value.facts.core,
      name: c.call!.op,
      code,
      ...(typeof given === 'number' && { given }),
    });
  c.call = null;
  c.script = null;
}

/** Ends a call that was refused: its code is the answer. */
export function endRefused(c: CpeState, out: CpeOut): void {
  const { step } = c;
  if (step?.op !== 'refuse') return;
  endCall(c, out, step.code, step.code);
  c.answer = step.code;
}

/** The bytes that an access brings, as the value that was asked for. */
export function takeBytes(c: CpeState, data: Uint8Array): void {
  const { step } = c;
  if (step?.op === 'add') c.answer = valueOfBytes('i32', data);
  else if (step?.op === 'gather') c.answer = data;
  else if (step?.op === 'read') c.answer = step.as === 'bytes' ? data : valueOfBytes(step.as, data);
}
