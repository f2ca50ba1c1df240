import { type CellProbe, cellProperty, nameOfDma, type Tell } from './context.ts';

/** A request, and where its transfer stands once it is granted. */
interface Course {
  readonly request: Pick<CellProbe<'REQ'>, 'spu' | 'kind' | 'my' | 'addr' | 'size'>;
  /** First cycle, from the grant until the transfer is over. */
  start?: number;
  /** Bytes read and written so far. */
  read: number;
  written: number;
}

/** Byte i of a transfer moves in cycle start + i, exactly once (Cell specification 9, T6, and 12, CK-07). */
export const everyByteOnTime = cellProperty(
  'byte i of a transfer moves in cycle start + i, exactly once',
  ['REQ', 'GRANT', 'RD', 'WR', 'BARRIER'],
  /** By name. */
  (): Record<string, Course> => ({}),
  () => ({
    about(event) {
      if (event.type === 'BARRIER') return undefined;
      return (event.type === 'RD' || event.type === 'WR') && event.by === 'spu' ? [] : nameOf(event);
    },
    see(courses, event, found) {
      if (event.type === 'BARRIER') cycleEnds(courses, event.t, found);
      else if (event.type === 'REQ') {
        const { spu, kind, my, addr, size } = event;
        courses[nameOf(event)] = { request: { spu, kind, my, addr, size }, read: 0, written: 0 };
      } else if (event.type === 'GRANT') {
        const course = courses[nameOf(event)];
        if (course) Object.assign(course, { start: event.start, read: 0, written: 0 });
      } else if (event.by === 'dma') moved(courses, event, found);
    },
  }),
);

const nameOf = ({ spu, id }: { readonly spu: number; readonly id: number }) => `request ${id} of SPU ${spu}`;

function moved(courses: Record<string, Course>, event: CellProbe<'RD' | 'WR'>, found: Tell): void {
  const name = nameOf(event);
  const course = courses[name];
  if (course?.start === undefined) {
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

function cycleEnds(courses: Record<string, Course>, t: number, found: Tell): void {
  for (const [name, { request, start, read, written }] of Object.entries(courses)) {
    if (start === undefined || t < start) continue;
    const due = t - start + 1;
    if (read < due || written < due)
      found([nameOfDma(request.spu)], `byte ${due - 1} of ${name} has not moved at the end of cycle ${t}`);
    if (due >= request.size) delete courses[name]!.start;
  }
}
