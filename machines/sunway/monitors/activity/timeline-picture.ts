import type { Drawing } from '../../../pictures/drawing.ts';
import { colourOf } from '../../../pictures/palette.ts';
import { timeline } from '../../../pictures/timeline.ts';
import { coreName } from '../race/race-event.ts';
import type { Activity } from './activity.ts';
import { type CoreTask, coresOf, groupsOf, type Piece, tasksOf } from './core-tasks.ts';

/** What each kind of piece is called in the legend, with its colour. */
const kinds: Readonly<Record<CoreTask, { readonly name: string; readonly colour: string }>> = {
  call: { name: 'at work', colour: colourOf(2) },
  transfer: { name: 'waits for a transfer', colour: colourOf(1) },
  barrier: { name: 'at a barrier', colour: colourOf(5) },
  host: { name: 'waits for its host', colour: colourOf(3) },
  lock: { name: 'waits for a lock', colour: colourOf(0) },
  threads: { name: 'waits for threads to end', colour: '#c9d2dc' },
};

/** Parts that a run is cut into: what a core does most in one is what is drawn. */
const columns = 860;

/** What the cores did over time: a panel for each core group, a row for each core; every piece says what the core waited for longest. */
export function activityTimeline(title: string, activity: Activity): Drawing {
  const cycles = Math.max(1, activity.cycles);
  const cyclesPerColumn = cycles / columns;
  const groups = groupsOf(activity);
  return timeline({
    title,
    subtitle: 'what each core did, and what it waited for',
    unit: 'cycle of the CPEs',
    end: cycles,
    panels: groups.map((group) => ({
      ...(groups.length > 1 && { caption: `core group ${group}` }),
      rows: coresOf(activity, group).map((core) => ({
        label: coreName(core),
        spans: tasksOf(core, activity, columns).map((piece) => ({
          from: piece.from * cyclesPerColumn,
          to: piece.to * cyclesPerColumn,
          kind: kinds[piece.task].name,
          tooltip: `${coreName(core)} ${told(piece, cyclesPerColumn)}`,
        })),
      })),
    })),
    kinds: Object.values(kinds),
  });
}

/** A piece in words: what the core waited for, in which call, and when. */
function told({ task, from, to, wait }: Piece, cyclesPerColumn: number): string {
  const when = `cycles ${Math.round(from * cyclesPerColumn)} to ${Math.round(to * cyclesPerColumn)}`;
  if (!wait) return `${kinds[task].name}, ${when}`;
  const { on, call, place, open } = wait;
  return `waits ${on}, in ${call}${place === undefined ? '' : ` (${place})`}, ${when}${open ? '; it never ended' : ''}`;
}
