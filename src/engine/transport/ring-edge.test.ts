import { describe, it } from "vitest";
import { edgeContractCases } from "../testing/edge-contract.ts";
import { ringContractCases, ringFactory, wrappingRingFactory } from "../testing/ring-contract.ts";

describe("ring edge", () => {
  for (const { name, run } of [...edgeContractCases, ...ringContractCases]) it(name, () => run(ringFactory));
});

describe("ring edge whose message count passes 2^32", () => {
  for (const { name, run } of edgeContractCases) it(name, () => run(wrappingRingFactory));
});
