import { judged, property } from '../../property.ts';
import { bits, type InterchipletContext, saidIn, timingDeskName } from './context.ts';

/** Who meets where: opens when as many have come as were announced last. */
class Meeting {
  #count = 0;
  #here: string[] = [];
  /** Who may go, and by which message. */
  readonly #free = new Map<string, number>();

  come(process: string, count: number, seq: number): void {
    if (count !== 0) this.#count = count;
    this.#here.push(process);
    if (this.#count === 0 || this.#here.length < this.#count) return;
    for (const one of this.#here) this.#free.set(one, seq);
    this.#here = [];
  }

  /** True when a process may go by the message that lets it; it has gone then. */
  goes(process: string, cause: number): boolean {
    const by = this.#free.get(process);
    this.#free.delete(process);
    return by === cause;
  }

  get here(): string {
    return `${this.#here.length} of ${this.#count} are there`;
  }
}

/** A barrier answers nobody before as many have come as its count says, at both desks (chiplet specification 9.4, 9.5). */
export const coordinatorBarriersWait = property<InterchipletContext>(
  'a barrier of the coordinator opens when all have come',
  (run) =>
    judged(saidIn(run), (found) => {
      const meetings = { result: new Map<number, Meeting>(), sync: new Map<number, Meeting>() };
      const waits = { result: new Map<string, number>(), sync: new Map<string, number>() };
      const come = (
        desk: 'result' | 'sync',
        process: string,
        uid: number,
        count: number,
        seq: number,
      ): void => {
        const meeting = meetings[desk].get(uid) ?? new Meeting();
        meetings[desk].set(uid, meeting);
        waits[desk].set(process, uid);
        meeting.come(process, count, seq);
      };
      const go = (desk: 'result' | 'sync', process: string, cause: number): void => {
        const uid = waits[desk].get(process);
        if (uid === undefined) return;
        waits[desk].delete(process);
        const meeting = meetings[desk].get(uid);
        if (meeting && !meeting.goes(process, cause))
          found([process], `barrier ${uid} lets ${process} go (${desk.toUpperCase()}) when ${meeting.here}`);
      };
      return {
        see({ from, to, event, seq, cause }) {
          if (event.type === 'round.load' && to === timingDeskName)
            for (const one of [meetings.result, meetings.sync, waits.result, waits.sync]) one.clear();
          else if (event.type === 'command.barrier') come('result', from, event.uid, event.count, seq);
          else if (event.type === 'command.write' && (event.description & bits.barrier) !== 0)
            come('sync', from, event.target.x, event.description & 0xffff, seq);
          else if (event.type === 'answer.result') go('result', to, cause);
          else if (event.type === 'answer.sync') go('sync', to, cause);
        },
      };
    }),
);
