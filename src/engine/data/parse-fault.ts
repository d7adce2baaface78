/** Why text is no value of a type: not of its form, no value that the type has, or with digits that would be lost. */
export type ParseFault = "none" | "malformed" | "out-of-range" | "too-precise";
