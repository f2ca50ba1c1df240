import { serveBatches } from '../threads/serve-batches.ts';
import { orderOfThread } from '../threads/thread.ts';
import { openCampaign } from './order.ts';
import { timedBatches } from './timed-batch.ts';

/* What each thread of a campaign runs. */

serveBatches(timedBatches(await openCampaign(orderOfThread())));
