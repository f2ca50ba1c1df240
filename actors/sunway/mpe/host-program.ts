import { isNamedOperation, noOperation, Program } from '../../common/program.ts';
import type { MpeApi, MpeOperation } from '../mpe-api.ts';
import type { Answer } from '../operation.ts';
import type { MpeProgram, SignalHandler } from '../program.ts';

/** Given to a program in place of an answer: a signal has come, with what its CPE sent. */
export interface Signalled {
  readonly content: number;
}

/** What a host process asks for: a call, or, `handled`, that it goes on where the signal came. */
export type HostStep = MpeOperation | { readonly op: 'handled' };

const isSignal = (given: Answer | Signalled): given is Signalled =>
  typeof given === 'object' && 'content' in given;

/** The program of a host process at work. */
export const hostProgram = (
  program: MpeProgram,
  context: () => MpeApi,
): Program<HostStep, Answer | Signalled> => new Program(() => hostSteps(program, context()));

/**
 * What the program of a host process asks for.
 *
 * Details: a signal is an answer of another kind, so that the log of answers holds where each came. Its handler runs inside the program and shares what the
 * program was given: memory that it allocates is nobody else's (specification 5.6).
 */
export function* hostSteps(program: MpeProgram, host: MpeApi): Generator<HostStep, void, Answer | Signalled> {
  const handlers: SignalHandler[] = [];
  const running = program(host);
  let step = running.next();
  while (step.done !== true) {
    let given = yield registered(step.value, handlers);
    while (isSignal(given)) {
      const handling = handlers.at(-1)!(host, given.content);
      let within = handling.next();
      // A program names its results itself: `yield` gives a return code, `yield*` what the operation says.
      while (within.done !== true)
        within = handling.next((yield registered(within.value, handlers)) as number);
      given = yield { op: 'handled' };
    }
    step = running.next(given as number);
  }
}

/** Takes note of the handler that a call registers; the last one counts. */
function registered(call: MpeOperation, handlers: SignalHandler[]): MpeOperation {
  if (!isNamedOperation(call)) throw noOperation(call, 'a call of the host: yield host.athread_init()');
  if (call.op === 'sig_user_init') handlers.push(call.handler.value);
  return call;
}
