import { serveBatches } from '../../threads/serve-batches.ts';
import { orderOfThread } from '../../threads/thread.ts';
import { suiteOrder, suiteWork } from './order.ts';

/* What each thread of the suite runs. */

serveBatches(suiteWork(await suiteOrder(orderOfThread())));
