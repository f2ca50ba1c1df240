import { bits, judging, timingCoordinatorName } from './context.ts';

/** Who meets where: opens when as many have come as were announced last. */
interface Meeting {
  count: number;
  /** Who is there, in the order of names. */
  here: string[];
  /** Who may go, and who is told to go too early: with how many that were there. */
  readonly free: Record<string, true>;
  readonly early: Record<string, string>;
}

/** The meetings of a coordinator by uid, and by process where it waits. */
interface CoordinatorView {
  readonly meetings: Record<number, Meeting>;
  readonly waits: Record<string, number>;
}

interface CoordinatorViews {
  result: CoordinatorView;
  sync: CoordinatorView;
}

const newCoordinatorViews = (): CoordinatorViews => ({
  result: { meetings: {}, waits: {} },
  sync: { meetings: {}, waits: {} },
});

const presence = ({ here, count }: Meeting): string => `${here.length} of ${count} are there`;

function come({ meetings, waits }: CoordinatorView, process: string, uid: number, count: number): void {
  meetings[uid] ??= { count: 0, here: [], free: {}, early: {} };
  const meeting = meetings[uid];
  waits[process] = uid;
  if (count !== 0) meeting.count = count;
  meeting.here.push(process);
  meeting.here.sort();
  if (meeting.count === 0 || meeting.here.length < meeting.count) return;
  for (const one of meeting.here) meeting.free[one] = true;
  meeting.here = [];
}

/** A barrier opens for those who are there: nobody is when all have come. */
function open({ meetings }: CoordinatorView, uid: number): void {
  const meeting = meetings[uid];
  for (const one of meeting?.here ?? []) meeting!.early[one] = presence(meeting!);
}

/** A barrier answers nobody before as many have come as its count says, at both coordinators (chiplet specification 9.4, 9.5). */
export const coordinatorBarriersWait = () =>
  judging({
    sentence: 'a barrier of the coordinator opens when all have come',
    watches: [
      'barrier.opened',
      'round.load',
      'command.barrier',
      'command.write',
      'answer.result',
      'answer.sync',
    ],
    judges: (event) =>
      event.type === 'command.barrier' ||
      (event.type === 'command.write' && (event.description & bits.barrier) !== 0),
    begin: newCoordinatorViews,
    see(coordinators, { from, to: actor, event }, tell) {
      const go = (which: keyof CoordinatorViews): void => {
        const { meetings, waits } = coordinators[which];
        const uid = waits[actor];
        if (uid === undefined) return;
        delete waits[actor];
        const meeting = meetings[uid]!;
        const early = meeting.early[actor];
        delete meeting.early[actor];
        if (early !== undefined || !meeting.free[actor])
          tell(
            [actor],
            `barrier ${uid} lets ${actor} go (${which.toUpperCase()}) when ${early ?? presence(meeting)}`,
          );
        delete meeting.free[actor];
      };
      if (event.type === 'barrier.opened')
        open(coordinators[actor === timingCoordinatorName ? 'sync' : 'result'], event.uid);
      else if (event.type === 'round.load') {
        if (actor === timingCoordinatorName) Object.assign(coordinators, newCoordinatorViews());
      } else if (event.type === 'command.barrier') come(coordinators.result, from, event.uid, event.count);
      else if (event.type === 'command.write') {
        if ((event.description & bits.barrier) !== 0)
          come(coordinators.sync, from, event.target.x, event.description & 0xffff);
      } else go(event.type === 'answer.result' ? 'result' : 'sync');
    },
  });
