import { serveSchedules } from '../campaign/carry-out.ts';
import { systemRows } from './schedules-rows.ts';

/* What each thread of the campaign runs. */

await serveSchedules(systemRows);
