import { decompress } from "fzstd";

/**
 * Zstandard frames that give `size` bytes.
 * @throws Error
 */
export function decodeZstd(input: Uint8Array, size: number): Uint8Array {
  // Given room of its own, the library would not say that it stayed empty in part.
  const output = decompress(input);
  if (output.length !== size) throw new Error("its Zstandard data do not give what they say");
  return output;
}
