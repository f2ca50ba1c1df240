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

/** A request: its initiator and its id. */
type Name = readonly [spu: number, id: number];

interface Memory {
  /** By initiator and id. */
  readonly courses: Record<number, Record<number, Course>>;
  /** Those that are granted and not over, in the order of initiators and ids. */
  granted: Name[];
}

/** Byte i of a transfer moves in cycle start + i, exactly once (Cell specification 9, T6, and 12, CK-07). */
export const everyByteOnTime = cellProperty(
  'byte i of a transfer moves in cycle start + i, exactly once',
  ['REQ', 'GRANT', 'RD', 'WR', 'BARRIER'],
  (): Memory => ({ courses: {}, granted: [] }),
  () => ({
    about(event) {
      if (event.type === 'BARRIER') return undefined;
      return (event.type === 'RD' || event.type === 'WR') && event.by === 'spu' ? [] : nameOf(event);
    },
    judges: (event) => event.type !== 'BARRIER' && !('by' in event && event.by === 'spu'),
    see(memory, event, found) {
      if (event.type === 'BARRIER') cycleEnds(memory, event.t, found);
      else if (event.type === 'REQ') {
        const { spu, id, kind, my, addr, size } = event;
        memory.courses[spu] ??= {};
        memory.courses[spu]![id] = { request: { spu, kind, my, addr, size }, read: 0, written: 0 };
      } else if (event.type === 'GRANT') grant(memory, event);
      else if (event.by === 'dma') moved(memory, event, found);
    },
  }),
);

function grant({ courses, granted }: Memory, { spu, id, start }: CellProbe<'GRANT'>): void {
  const course = courses[spu]?.[id];
  if (!course) return;
  Object.assign(course, { start, read: 0, written: 0 });
  let at = granted.length;
  while (at > 0 && isAfter(granted[at - 1]!, spu, id)) at--;
  if (granted[at - 1]?.[0] !== spu || granted[at - 1]?.[1] !== id) granted.splice(at, 0, [spu, id]);
}

const isAfter = ([spu, id]: Name, otherSpu: number, otherId: number): boolean =>
  spu > otherSpu || (spu === otherSpu && id > otherId);

const nameOf = ({ spu, id }: { readonly spu: number; readonly id: number }) => `request ${id} of SPU ${spu}`;

function moved({ courses }: Memory, event: CellProbe<'RD' | 'WR'>, found: Tell): void {
  const course = courses[event.spu]?.[event.id];
  if (course?.start === undefined) {
    found(
      [nameOfDma(event.spu)],
      `a byte of ${nameOf(event)} moves in cycle ${event.t}, where it does not run`,
    );
    return;
  }
  const { request, start } = course;
  const reads = event.type === 'RD';
  // The sender's bytes are read, the receiver's are written; which of the two the initiator is depends on the kind.
  const base = reads === (request.kind === 'put') ? request.my : request.addr;
  const index = event.a - base;
  const nth = reads ? course.read++ : course.written++;
  if (index === event.t - start && index === nth) return;
  const due = event.t - start;
  const what =
    index < 0 || index >= request.size
      ? `${nameOf(event)} ${reads ? 'reads' : 'writes'} address ${event.a} in cycle ${event.t}, expected ${base + due} (its ${request.size} bytes begin at ${base})`
      : `byte ${index} of ${nameOf(event)} is ${reads ? 'read' : 'written'} in cycle ${event.t}, in which byte ${due} is due`;
  found(
    [nameOfDma(event.spu)],
    nth === due ? what : `${what}; ${nth} ${nth === 1 ? 'was' : 'were'} before it`,
  );
}

function cycleEnds(memory: Memory, t: number, found: Tell): void {
  if (memory.granted.length === 0) return;
  memory.granted = memory.granted.filter(([spu, id]) => {
    const course = memory.courses[spu]![id]!;
    const { request, start, read, written } = course;
    // An id that is used a second time names the newer request.
    if (start === undefined) return false;
    if (t < start) return true;
    const due = t - start + 1;
    if (read < due || written < due)
      found(
        [nameOfDma(request.spu)],
        `byte ${due - 1} of ${nameOf({ spu, id })} has not moved at the end of cycle ${t}`,
      );
    if (due < request.size) return true;
    delete course.start;
    return false;
  });
}
