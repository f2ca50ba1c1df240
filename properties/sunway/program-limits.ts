/** Limits and defaults of programs as data, as `programLimitsOf` writes them. */
export const sunwayProgramLimits = `
|.memory.bytes 0..1048576 = 0
|.memory.fill 0..255 = 0
|.statics.* 1..262144
|.replies = []
|.slave[]| 1..
|.slave[]|[] of 148: ssync_peer to rplySet
|.slave[]|.on 1..
|.slave[]|.on[] 0..63
|.slave[]|.do[] 1..
|.slave[]|.do[][] of 148: ssync_peer to rplySet
|.host = [["athread_spawn"],["athread_join"]]
|.host[] 1..
|.host[][] of 29: init to stBlock
|.handler = []
|.handler[] 1..
|.handler[][] of 26: init to stBlock
|[]|.memory.bytes 0..1048576 = 0
|[]|.memory.fill 0..255 = 0
|[]|.statics.* 1..262144
|[]|.replies = []
|[]|.slave[]| 1..
|[]|.slave[]|[] of 148: ssync_peer to rplySet
|[]|.slave[]|.on 1..
|[]|.slave[]|.on[] 0..63
|[]|.slave[]|.do[] 1..
|[]|.slave[]|.do[][] of 148: ssync_peer to rplySet
|[]|.host = [["athread_spawn"],["athread_join"]]
|[]|.host[] 1..
|[]|.host[][] of 29: init to stBlock
|[]|.handler = []
|[]|.handler[] 1..
|[]|.handler[][] of 26: init to stBlock
`;
