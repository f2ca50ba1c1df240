import { type CellProbe, cellProperty, nameOfDma } from './context.ts';

/** What is known of a request when somebody asks. */
interface Known {
  readonly issue: number;
  readonly size: number;
  grant?: Pick<CellProbe<'GRANT'>, 'start' | 'dir' | 'ring'>;
}

/** The answer to a status query follows from issue, start, size and the cycle of the query alone (Cell specification 3 and 12, CK-03 to CK-05). */
export const statusAnswersAreExact = cellProperty(
  'status answers are exact',
  ['REQ', 'GRANT', 'STATUS'],
  (): Record<string, Known> => ({}),
  () => ({
    about: nameOf,
    judges: ({ type }) => type === 'STATUS',
    see(requests, event, found) {
      const name = nameOf(event);
      if (event.type === 'REQ') requests[name] = { issue: event.t, size: event.size };
      else if (event.type === 'GRANT') {
        const request = requests[name];
        if (request) request.grant ??= { start: event.start, dir: event.dir, ring: event.ring };
      } else {
        const expected = answerOf(requests[name], event.t);
        const given = `${event.status} (${event.dir}, ${event.ring})`;
        if (given !== expected)
          found(
            [nameOfDma(event.spu)],
            `asked in cycle ${event.t} about request ${event.id} the answer is ${given}, expected ${expected}`,
          );
      }
    },
  }),
);

const nameOf = ({ spu, id }: { readonly spu: number; readonly id: number }) => `${spu} ${id}`;

function answerOf(request: Known | undefined, t: number): string {
  if (request === undefined) return '0 (-1, -1)';
  const { issue, size, grant } = request;
  if (size === 0) return t > issue ? '3 (-1, -1)' : '1 (-1, -1)';
  if (grant === undefined || t < grant.start) return '1 (-1, -1)';
  return t < grant.start + size ? `2 (${grant.dir}, ${grant.ring})` : '3 (-1, -1)';
}
