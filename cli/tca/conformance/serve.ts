import { serveSchedules } from '../../campaign/carry-out.ts';
import { suiteRows } from './order.ts';

/* What each thread of the suite runs. */

await serveSchedules(suiteRows);
