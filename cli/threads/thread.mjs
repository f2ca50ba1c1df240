import { workerData } from 'node:worker_threads';
// A thread starts without what the command registered: the sources run as they are here, too.
import '../modules/register.mjs';

await import(workerData.serve);
