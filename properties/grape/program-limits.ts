/** Limits and defaults of programs as data, as `programLimitsOf` writes them. */
export const grapeProgramLimits = `
host|[]|.call only init
host|[]|.at 0..
host|[]|.call only sendEltData
host|[]|.num 0.. = 0
host|[]|.index -9007199254740991.. = 0
host|[]|.call only sendIParticle
host|[]|.n -9007199254740991..
host|[]|.call only sendHltData
host|[]|.num 0..
host|[]|.peindex -9007199254740991.. = 0
host|[]|.call only registerIParticleConversion
host|[]|.call only run
host|[]|.call only type2Run
host|[]|.length 0..
host|[]|.call only getResult
host|[]|.call only alone
`;
