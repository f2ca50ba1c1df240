import { tcaProtocol } from '../protocol.ts';
import type { GasnetCall } from './calls.ts';
import { boardAddress, boardSlots, boardWord } from './layout.ts';
import type { RuntimeContext, RuntimeOut } from './runtime-context.ts';

const role = tcaProtocol.roles.Gasnet;
const { update, act, report } = role.component<RuntimeContext>();

/** Exit code of a job that was ended by a fatal error. */
export const fatalExitCode = 255;

/** Tells all other nodes that the job is over. */
function tellExit(c: RuntimeContext, out: RuntimeOut): void {
  const { layout, node, pio } = c.spec;
  const stores = Array.from({ length: layout.nodes }, (_, target) => target)
    .filter((target) => target !== node)
    .map((target) => ({
      address: boardAddress(layout, node, target, boardSlots.exit),
      data: boardWord(c.exitCode + 1),
    }));
  out.post({ to: pio, type: 'pio.store', stores });
}

/** What the runtime does about the end of the job (TCA specification 12.1). */
export const exitActions = {
  noteExit: update<'job.exit'>((c, { code }) => {
    c.exitCode = code;
  }),
  askExit: act<'gasnet.call'>((c, { call }, out) => {
    c.exitCode = (call as Extract<GasnetCall, { call: 'exit' }>).code;
    tellExit(c, out);
  }),
  complain: report((c) => ({ property: 'no node ends the job with a fatal error', why: c.fatal!.why })),
  exitAsFailed: act((c, _event, out) => {
    c.exitCode = fatalExitCode;
    tellExit(c, out);
  }),
  stop: act((c, _event, out) => out.post({ to: c.spec.cpu, type: 'cpu.exit', code: c.exitCode })),
};
