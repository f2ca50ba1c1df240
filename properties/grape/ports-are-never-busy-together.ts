import { filter, map } from 'rxjs';
import { judged, property } from '../property.ts';
import { type GrapeContext, inputName, reductionName } from './context.ts';

/** When a port was busy: from one cycle up to, not including, another one. */
interface PortUse {
  readonly type: 'PORT';
  readonly port: 'idp' | 'rrn';
  readonly t: number;
  readonly end: number;
}

const names = { idp: inputName, rrn: reductionName } as const;

/** Neither may start while the other, or itself, is busy (GRAPE specification 3.7, 6.3). */
export const portsAreNeverBusyTogether = property<GrapeContext>(
  'input port and reduction network are never busy together, and neither twice',
  (run) =>
    judged(
      run.probes$.pipe(
        filter(({ probe }) => probe.type === 'PORT'),
        map(({ probe }) => probe as unknown as PortUse),
      ),
      (found) => {
        let last: PortUse | undefined;
        return {
          see(use) {
            // Uses are shown when they end: whatever ends last of the earlier ones is what a later one can meet.
            if (last !== undefined && use.t < last.end)
              found(
                [...new Set([names[use.port], names[last.port]])],
                `${use.port} is busy from cycle ${use.t} on, ${last.port} was until ${last.end}`,
              );
            if (last === undefined || use.end > last.end) last = use;
          },
        };
      },
    ),
);
