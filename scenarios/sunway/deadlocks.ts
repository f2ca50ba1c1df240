import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

/** A host that runs a program on the array and waits for it. */
const onArray = (program: CpeProgram): MpeProgram =>
  function* (h) {
    yield h.init();
    yield h.athread_spawn(program, h.memAlloc(256, 128));
    yield h.athread_join();
  };

/** CPE 5 ends before a barrier of the array. */
export const absentAtBarrier = onArray(function* (c) {
  if (c.tid !== 5) yield c.ssync_array();
});

/** CPE 3 waits for a reply that no transfer will give. */
export const silentReply = onArray(function* (c) {
  const reply = c.rply();
  yield c.rplySet(reply, 0);
  if (c.tid === 3) yield c.dma_wait_value(reply, 1);
});

/** CPE 3 issues one get and waits for two. */
export const countedTooHigh = onArray(function* (c, memory) {
  const [reply, own] = [c.rply(), c.ldmStatic('own', 64)];
  yield c.rplySet(reply, 0);
  if (c.tid !== 3) return;
  yield c.dma_iget(own, memory, 64, reply);
  yield c.dma_wait_value(reply, 2);
});

/** CPE 9 takes the lock of its row twice. */
export const lockedTwice = onArray(function* (c) {
  if (c.tid !== 9) return;
  yield c.smutex_lock_row();
  yield c.smutex_lock_row();
});

/** CPEs 0 and 1 take two locks in opposite order. */
export const lockCircle = onArray(function* (c) {
  if (c.tid > 1) return;
  if (c.tid === 0) yield c.smutex_lock_row();
  else yield c.smutex_lock_array();
  yield c.ssync_peer(1 - c.tid);
  if (c.tid === 0) yield c.smutex_lock_array();
  else yield c.smutex_lock_row();
});

/** CPE 2 ends with the lock of the array. */
export const lockKept = onArray(function* (c) {
  if (c.tid === 2) yield c.smutex_lock_array();
  yield c.ssync_row();
  if (c.tid === 6) yield c.smutex_lock_array();
});

/** CPE 0 is at a barrier of half of its row, the others of the row at one of all. */
export const differentMasks = onArray(function* (c) {
  if (c.rid === 0) yield c.synr(c.cid === 0 ? 0x0f : 0xff);
});

/** CPE 4 meets CPE 5, which meets CPE 6, which meets CPE 4. */
export const differentPartners = onArray(function* (c) {
  const partner = new Map([
    [4, 5],
    [5, 6],
    [6, 4],
  ]).get(c.tid);
  if (partner !== undefined) yield c.ssync_peer(partner);
});

/** CPEs 17 and 40 leave a broadcast out in which all must take part. */
export const collectiveLeftOut = onArray(function* (c) {
  const word = c.ldmStatic('word', 4);
  if (c.tid !== 17 && c.tid !== 40) yield c.rma_bcast_coll(word, word, 4, 0);
});

/** CPEs 0 and 1 each send only after the other has sent. */
export const crossedMessages = onArray(function* (c) {
  const [come, word] = [c.rply(), c.ldmStatic('word', 4)];
  yield c.rplySet(come, 0);
  yield c.ssync_array();
  if (c.tid > 1) return;
  yield c.rma_wait_value(come, 1);
  yield c.rma_put(word, 4, 1 - c.tid, word, come);
});

/** The host meets its array, which has ended. */
export const hostAlone: MpeProgram = function* (h) {
  yield h.init();
  yield h.athread_spawn(function* (c) {
    yield c.ssync_array();
  });
  yield h.sync_master_array();
  yield h.athread_join();
};

/** CPE 8 meets CPE 9, on which no thread was started. */
export const partnerWithoutThread: MpeProgram = function* (h) {
  yield h.init();
  yield h.athread_create(
    8,
    function* (c) {
      yield c.ssync_peer(9);
    },
    0,
  );
  yield h.athread_wait(8);
};
