import { grapeProperty, inputName, reductionName } from './context.ts';

interface Use {
  /** The port that was busy last, and up to which cycle. */
  readonly port: 'idp' | 'rrn' | undefined;
  readonly end: number;
}

const names = { idp: inputName, rrn: reductionName } as const;

/** Neither may start while the other, or itself, is busy (GRAPE specification 3.7, 6.3). */
export const portsAreNeverBusyTogether = grapeProperty(
  'input port and reduction network are never busy together, and neither twice',
  ['PORT'],
  (): { last: Use } => ({ last: { port: undefined, end: 0 } }),
  () => ({
    see(memory, { event: { port, t, end } }, found) {
      // Uses are shown when they end: whatever ends last of the earlier ones is what a later one can meet.
      const { last } = memory;
      if (last.port !== undefined && t < last.end)
        found(
          [...new Set([names[port], names[last.port]])],
          `${port} is busy from cycle ${t} on, ${last.port} was until ${last.end}`,
        );
      if (last.port === undefined || end > last.end) memory.last = { port, end };
    },
  }),
);
