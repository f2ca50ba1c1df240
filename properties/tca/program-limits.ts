/** Limits and defaults of programs as data, as `programLimitsOf` writes them. */
export const tcaProgramLimits = `
|.job only himeno
|[]|[]|.op only start
|[]|[]|.channel 0..3
|[]|[]|.chain[]|.from 3..3
|[]|[]|.chain[]|.from[] 0..15
|[]|[]|.chain[]|.from[] of cpu gpu
|[]|[]|.chain[]|.from[] 0..
|[]|[]|.chain[]|.to 3..3
|[]|[]|.chain[]|.to[] 0..15
|[]|[]|.chain[]|.to[] of cpu gpu
|[]|[]|.chain[]|.to[] 0..
|[]|[]|.chain[]|.size -9007199254740991..
|[]|[]|.chain[]|.count -9007199254740991.. = 1
|[]|[]|.chain[]|.fromStride -9007199254740991.. = 0
|[]|[]|.chain[]|.toStride -9007199254740991.. = 0
|[]|[]|.chain[]|.pipeline = true
|[]|[]|.chain[]|.bytes 1..256
|[]|[]|.chain[]|.bytes[] 0..255
|[]|[]|.chain[]|.notify 0..15
|[]|[]|.chain[]|.slot 0..255 = 0
|[]|[]|.refused of EALIGN ENOTREG ERANGE EUR EUNREACH EBUSY ECHAIN RESOURCE any
|[]|[]|.op only wait
|[]|[]|.flags[].source 0..15
|[]|[]|.flags[].slot 0..255 = 0
|[]|[]|.op only stopped
|[]|[]|.channels[] 0..3
|[]|[]|.op only pio
|[]|[]|.to 3..3
|[]|[]|.to[] 0..15
|[]|[]|.to[] of cpu gpu
|[]|[]|.to[] 0..
|[]|[]|.bytes[] 0..255
|[]|[]|.op only compute
|[]|[]|.ns 0..1000000000
|[]|[]|.op only copy
|[]|[]|.from 3..3
|[]|[]|.from[] 0..15
|[]|[]|.from[] of cpu gpu
|[]|[]|.from[] 0..
|[]|[]|.size 0..
|[]|[]|.op only launch
|[]|[]|.op only join
|[]|[]|.op only register
|[]|[]|.register of busy error
|[]|[]|.op only counter
|[]|[]|.op only reset
|[]|.gasnet[]|.op only write
|[]|.gasnet[]|.to 3..3
|[]|.gasnet[]|.to[] 0..15
|[]|.gasnet[]|.to[] of cpu gpu private
|[]|.gasnet[]|.to[] 0..
|[]|.gasnet[]|.bytes[] 0..255
|[]|.gasnet[]|.op only fill
|[]|.gasnet[]|.size 0..
|[]|.gasnet[]|.seed 0..
|[]|.gasnet[]|.op only put
|[]|.gasnet[]|.from 3..3
|[]|.gasnet[]|.from[] 0..15
|[]|.gasnet[]|.from[] of cpu gpu private
|[]|.gasnet[]|.from[] 0..
|[]|.gasnet[]|.count 1.. = 1
|[]|.gasnet[]|.fromStride -9007199254740991.. = 0
|[]|.gasnet[]|.toStride -9007199254740991.. = 0
|[]|.gasnet[]|.form = "blocking" of blocking nb nbi
|[]|.gasnet[]|.bulk = false
|[]|.gasnet[]|.op only get
|[]|.gasnet[]|.op only memset
|[]|.gasnet[]|.value 0..255
|[]|.gasnet[]|.op only putValue
|[]|.gasnet[]|.value 0..
|[]|.gasnet[]|.size 1..8
|[]|.gasnet[]|.op only getValue
|[]|.gasnet[]|.form = "blocking" of blocking nb
|[]|.gasnet[]|.op of putVector getVector
|[]|.gasnet[]|.from[] 2..2
|[]|.gasnet[]|.from[][] 3..3
|[]|.gasnet[]|.from[][][] 0..15
|[]|.gasnet[]|.from[][][] of cpu gpu private
|[]|.gasnet[]|.from[][][] 0..
|[]|.gasnet[]|.from[][] 0..
|[]|.gasnet[]|.to[] 2..2
|[]|.gasnet[]|.to[][] 3..3
|[]|.gasnet[]|.to[][][] 0..15
|[]|.gasnet[]|.to[][][] of cpu gpu private
|[]|.gasnet[]|.to[][][] 0..
|[]|.gasnet[]|.to[][] 0..
|[]|.gasnet[]|.op of putStrided getStrided
|[]|.gasnet[]|.from.at 3..3
|[]|.gasnet[]|.from.at[] 0..15
|[]|.gasnet[]|.from.at[] of cpu gpu private
|[]|.gasnet[]|.from.at[] 0..
|[]|.gasnet[]|.from.strides[] -9007199254740991..
|[]|.gasnet[]|.to.at 3..3
|[]|.gasnet[]|.to.at[] 0..15
|[]|.gasnet[]|.to.at[] of cpu gpu private
|[]|.gasnet[]|.to.at[] 0..
|[]|.gasnet[]|.to.strides[] -9007199254740991..
|[]|.gasnet[]|.levels 1..
|[]|.gasnet[]|.levels[] 0..
|[]|.gasnet[]|.op only message
|[]|.gasnet[]|.kind of short medium long
|[]|.gasnet[]|.size 0.. = 0
|[]|.gasnet[]|.args ..12 = []
|[]|.gasnet[]|.args[] -9007199254740991..
|[]|.gasnet[]|.reply = "short" of short medium
|[]|.gasnet[]|.locked = false
|[]|.gasnet[]|.mistaken = false
|[]|.gasnet[]|.op only sync
|[]|.gasnet[]|.of of handles some puts gets all replies
|[]|.gasnet[]|.tries 0.. = 0
|[]|.gasnet[]|.op of beginRegion endRegion
|[]|.gasnet[]|.op only barrier
|[]|.gasnet[]|.id -9007199254740991.. = 0
|[]|.gasnet[]|.named = false
|[]|.gasnet[]|.op of broadcast gather scatter gatherAll exchange reduce scan
|[]|.gasnet[]|.root 0..15 = 0
|[]|.gasnet[]|.synchronised = false
|[]|.gasnet[]|.op only copy
|[]|.gasnet[]|.op only poll
|[]|.gasnet[]|.op only compute
|[]|.gasnet[]|.ns 0..1000000000
|[]|.gasnet[]|.op only locked
|[]|.gasnet[]|.op only refused
|[]|.gasnet[]|.what of rank source target size begun attached region handler arguments payload empty
|[]|.gasnet[]|.op only exit
|[]|.gasnet[]|.code 0..254 = 0
|[]|.early = false
|[]|.driver[]|.call only malloc
|[]|.driver[]|.as 1..
|[]|.driver[]|.kind of cpu gpu
|[]|.driver[]|.bytes -9007199254740991..
|[]|.driver[]|.refused of EALIGN ENOTREG ERANGE EUR EUNREACH EBUSY ECHAIN RESOURCE
|[]|.driver[]|.call only free
|[]|.driver[]|.memory 1..
|[]|.driver[]|.call only handle
|[]|.driver[]|.call only import
|[]|.driver[]|.node -9007199254740991..
|[]|.driver[]|.offset -9007199254740991..
|[]|.driver[]|.call only destroy
|[]|.driver[]|.handle 1..
|[]|.driver[]|.call only chain
|[]|.driver[]|.call only drop
|[]|.driver[]|.chain 1..
|[]|.driver[]|.call only memcpy
|[]|.driver[]|.to 2..2
|[]|.driver[]|.to[] 1..
|[]|.driver[]|.to[] -9007199254740991..
|[]|.driver[]|.from 2..2
|[]|.driver[]|.from[] 1..
|[]|.driver[]|.from[] -9007199254740991..
|[]|.driver[]|.slot -9007199254740991.. = 0
|[]|.driver[]|.tag 1..4294967295 = 1
|[]|.driver[]|.call only memcpy2D
|[]|.driver[]|.toPitch -9007199254740991..
|[]|.driver[]|.fromPitch -9007199254740991..
|[]|.driver[]|.width -9007199254740991..
|[]|.driver[]|.height -9007199254740991..
|[]|.driver[]|.call only load
|[]|.driver[]|.channel -9007199254740991..
|[]|.driver[]|.call only start
|[]|.driver[]|.call only receive
|[]|.driver[]|.slot -9007199254740991..
|[]|.driver[]|.tag -9007199254740991.. = 1
|[]|.driver[]|.call only stop
|[]|.driver[]|.call only busy
|[]|.driver[]|.call only error
|[]|.driver[]|.code = ""
|[]|.driver[]|.call only reset
|[]|.driver[]|.call only window
|[]|.driver[]|.call only store
|[]|.driver[]|.bytes ..256
|[]|.driver[]|.bytes[] 0..255
|[]|.driver[]|.call only commit
|[]|.driver[]|.call only compute
|[]|.driver[]|.ns 0..1000000000
`;
