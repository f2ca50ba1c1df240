import { serveSchedules } from '../../campaign/carry-out.ts';
import { raceRows } from './rows.ts';

/* What each thread of the campaign runs. */

await serveSchedules(raceRows);
