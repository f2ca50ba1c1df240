import { judged, property } from '../property.ts';
import { type CellContext, type CellProbe, nameOfDma, shown } from './context.ts';

/** A granted transfer: where it stands. */
interface Course {
  readonly request: CellProbe<'REQ'>;
  readonly start: number;
  /** Bytes read and written so far. */
  read: number;
  written: number;
}

/** Byte i of a transfer moves in cycle start + i, exactly once (Cell specification 9, T6, and 12, CK-07). */
export const everyByteOnTime = property<CellContext>(
  'byte i of a transfer moves in cycle start + i, exactly once',
  (run) =>
    judged(shown(run, 'REQ', 'GRANT', 'RD', 'WR', 'BARRIER'), (found) => {
      const requests = new Map<string, CellProbe<'REQ'>>();
      const running = new Map<string, Course>();
      const nameOf = ({ spu, id }: { readonly spu: number; readonly id: number }) =>
        `request ${id} of SPU ${spu}`;

      function moved(event: CellProbe<'RD' | 'WR'>): void {
        const name = nameOf(event);
        const course = running.get(name);
        if (course === undefined) {
          found([nameOfDma(event.spu)], `a byte of ${name} moves in cycle ${event.t}, where it does not run`);
          return;
        }
        const { request, start } = course;
        const reads = event.type === 'RD';
        // The sender's bytes are read, the receiver's are written; which of the two the initiator is depends on the kind.
        const base = reads === (request.kind === 'put') ? request.my : request.addr;
        const index = event.a - base;
        const nth = reads ? course.read++ : course.written++;
        const verb = reads ? 'read' : 'written';
        if (index !== event.t - start || index !== nth)
          found(
            [nameOfDma(event.spu)],
            `byte ${index} of ${name} is ${verb} in cycle ${event.t}, it starts in ${start}`,
          );
      }

      function cycleEnds(t: number): void {
        for (const [name, { request, start, read, written }] of running) {
          const due = t - start + 1;
          if (due < 1) continue;
          if (read < due || written < due)
            found(
              [nameOfDma(request.spu)],
              `byte ${due - 1} of ${name} has not moved at the end of cycle ${t}`,
            );
          if (due >= request.size) running.delete(name);
        }
      }

      return {
        see(event) {
          if (event.type === 'REQ') requests.set(nameOf(event), event);
          else if (event.type === 'BARRIER') cycleEnds(event.t);
          else if (event.type === 'GRANT') {
            const request = requests.get(nameOf(event));
            if (request !== undefined)
              running.set(nameOf(event), { request, start: event.start, read: 0, written: 0 });
          } else if (event.by === 'dma') moved(event);
        },
      };
    }),
);
