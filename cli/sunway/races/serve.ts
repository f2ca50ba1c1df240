import { type RaceBatch, type RaceOrder, runRaceBatch } from '../../../properties/sunway/race-campaign.ts';
import { serveBatches } from '../../threads/serve-batches.ts';
import { orderOfThread } from '../../threads/thread.ts';

/* What each thread of the campaign runs. */

const order = orderOfThread<RaceOrder>();
serveBatches((batch: RaceBatch) => runRaceBatch(order, batch));
