import { expect, test } from "vitest";
import { ownerOfVnode, vnodeRanges } from "../../core/vnodes.ts";
import cases from "../cases.json" with { type: "json" };
import { encodeUtf8 } from "../text.ts";
import { fnv1a64, keyGroup } from "./fnv.ts";

test.each(cases["KEY-01"].expected)("FNV-1a of $key is $hash_hex: group $group_128 of 128 (A-2, KEY-01)", (each) => {
  expect(fnv1a64(encodeUtf8(each.key)).toString(16).padStart(16, "0")).toBe(each.hash_hex);
  expect(keyGroup(each.key, 128)).toBe(each.group_128);
  expect(keyGroup(each.key, 16)).toBe(each.group_16);
});

test.each(cases["KEY-03"].expected)(
  "$key belongs to subtask $subtask of 3 (A-3, KEY-03)",
  ({ key, group, subtask }) => {
    expect(keyGroup(key, 128)).toBe(group);
    expect(ownerOfVnode(group, vnodeRanges(128, 3))).toBe(subtask);
  },
);
