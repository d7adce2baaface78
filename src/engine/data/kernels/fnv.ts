import { encodeUtf8 } from "../text.ts";

/**
 * FNV-1a of 64 bits, the hash of A-2. Weir shuffles by `hashRows` (D-45); this one is kept to compare key groups with engines
 * that use it.
 */
export function fnv1a64(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}

/** Key group of a key. */
export function keyGroup(key: string, maxParallelism: number): number {
  return Number(fnv1a64(encodeUtf8(key)) % BigInt(maxParallelism));
}
