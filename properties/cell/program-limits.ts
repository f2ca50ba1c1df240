/** Limits and defaults of programs as data, as `programLimitsOf` writes them. */
export const cellProgramLimits = `
|[]|[]| 3..3
|[]|[]|[] 0..
|[]|[]|[] of r read
|[]|[]|[] -9007199254740991..
|[]|[]| 4..4
|[]|[]|[] of w write
|[]|[]| 6..6
|[]|[]|[] of g get
|[]|[]|[] of p put
|[]|[]|[] of s status
|.saturate.outstanding 1..
|.saturate.perSpu 0..
|.saturate.sizeMin 1..
|.saturate.sizeMax 1..
|.saturate.seed -9007199254740991..
|.saturate.localOps 0.. = 0
`;
