import type { FarmFinding } from '../../farm/status.ts';
import { grouped } from '../progress.ts';
import { type FarmPlace, placeWords } from './opened-farm.ts';

/** A finding in one line. */
export const findingLine = (
  { id, campaign, verdict, what, failures, smallest }: FarmFinding,
  place: FarmPlace,
): string =>
  `finding ${id} of campaign ${campaign}, ${verdict}: ${what}; ${grouped(failures)} ${failures === 1 ? 'run' : 'runs'}, smallest ${smallest}: npx lockstep farm show ${id}${placeWords(place)}`;
